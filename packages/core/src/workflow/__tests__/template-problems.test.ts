import { describe, expect, it } from 'vitest';
import { WorkflowValidationError } from '../../errors/workflow-validation-error.js';
import { loadWorkflowTemplateFromString } from '../loader.js';

/** Valid except for the row's addition; the first added line is line 3. */
const HEAD = 'name: t\ndescription: t\n';
const STEP = 'steps: [{ id: only, type: action, instructions: Do it }]\n';
const step = (lines: string) => `${HEAD}steps:\n  - id: x\n    ${lines.replaceAll('\n', '\n    ')}\n`;
const action = (lines: string) => step(`type: action\ninstructions: Do it\n${lines}`);
const loop = (lines: string, stepLines = 'type: loop') =>
  `${HEAD}loops:\n  l:\n    - id: y\n      ${lines.replaceAll('\n', '\n      ')}\nsteps:\n  - id: x\n    ${stepLines}\n`;

const rows: readonly { yaml: string; problems: readonly string[] }[] = [
  // The template
  { yaml: '', problems: ['1:1 The template is empty'] },
  { yaml: '# nothing\n', problems: ['1:1 The template is empty'] },
  { yaml: 'just text', problems: ['1:1 Template must be a mapping of keys to values, got: just text'] },
  { yaml: '- a list', problems: ['1:1 Template must be a mapping of keys to values, got: a list'] },
  {
    yaml: '\n{}',
    problems: [
      "2:1 Template must have 'name'",
      "2:1 Template must have 'description'",
      "2:1 Template must have 'steps'",
    ],
  },
  {
    yaml: `name: 123\ndescription: t\n${STEP}`,
    problems: ['1:7 Template name must be a string → put it in quotes: "123"'],
  },
  {
    yaml: `name: ~\ndescription: t\n${STEP}`,
    problems: ['1:7 Template name must be a string → put it in quotes: "~"'],
  },
  {
    yaml: `name: t\ndescription:\n${STEP}`,
    problems: ['2:1 Template description must be a string → it is empty here'],
  },
  { yaml: `name: t\ndescription: ""\n${STEP}`, problems: ['2:14 Template description must not be empty'] },
  { yaml: `name: [t]\ndescription: t\n${STEP}`, problems: ['1:7 Template name must be a string → it is a list here'] },
  {
    yaml: `name: "\\ud800"\ndescription: t\n${STEP}`,
    problems: ['1:7 Template name must not hold half of a character → remove the escape of a lone surrogate'],
  },
  { yaml: `${HEAD}stesp: []\n${STEP}`, problems: ["3:1 Template has an unknown key 'stesp' → did you mean 'steps'?"] },
  {
    yaml: `${HEAD}version: 2\n${STEP}`,
    problems: ["3:1 Template has an unknown key 'version' → known keys: name, description, agents, loops, steps"],
  },
  { yaml: `${HEAD}name: u\n${STEP}`, problems: ["3:1 Template has the key 'name' twice → the first is in line 1"] },

  // Steps
  { yaml: `${HEAD}steps: []\n`, problems: ['3:8 Template steps must have at least one step'] },
  { yaml: `${HEAD}steps:\n`, problems: ['3:1 Template steps must be a list of steps, got: nothing'] },
  { yaml: `${HEAD}steps: { id: x }\n`, problems: ['3:8 Template steps must be a list of steps, got: a mapping'] },
  { yaml: `${HEAD}steps:\n  - x\n`, problems: ['4:5 Step 1 must be a mapping of keys to values, got: x'] },
  { yaml: `${HEAD}steps:\n  -\n`, problems: ['4:4 Step 1 must be a mapping of keys to values, got: nothing'] },
  { yaml: `${HEAD}steps:\n  - type: action\n    instructions: x\n`, problems: ["4:5 Step 1 must have 'id'"] },
  {
    yaml: `${HEAD}steps:\n  - id: 1\n    type: action\n    instructions: x\n`,
    problems: ['4:9 Step 1 id must be a string → put it in quotes: "1"'],
  },
  {
    yaml: `${HEAD}steps:\n  - id: ' '\n    type: action\n    instructions: x\n`,
    problems: ['4:9 Step 1 id must not be empty'],
  },
  {
    yaml: `${HEAD}steps:\n  - id: a b\n    type: action\n    instructions: x\n`,
    problems: ["4:9 Step 'a b' id must be 1 to 100 letters, digits, '_', '-' or '.', got: a b"],
  },
  {
    yaml: `${HEAD}steps:\n  - id: __proto__\n    type: action\n    instructions: x\n`,
    problems: ["4:9 Step '__proto__' id is a reserved word → choose another"],
  },
  {
    yaml: `${HEAD}steps:\n  - id: x\n    type: action\n    instructions: x\n  - id: x\n    type: action\n    instructions: x\n`,
    problems: ["7:9 Step 'x' is there twice → the first is in line 4"],
  },
  { yaml: step('instructions: x'), problems: ["4:5 Step 'x' must have 'type'"] },
  {
    yaml: step('type: lop'),
    problems: ["5:11 Step 'x' type must be one of 'action', 'loop' or 'ralph', got: lop → did you mean 'loop'?"],
  },
  { yaml: step('type: 5'), problems: ["5:11 Step 'x' type must be a string → write action or loop or ralph"] },
  { yaml: step('type: action'), problems: ["4:5 Step 'x' must have 'instructions'"] },
  { yaml: step('type: action\ninstructions: |\n  '), problems: ["6:19 Step 'x' instructions must not be empty"] },
  {
    yaml: step('type: action\ninstructions: { Do: it }'),
    problems: ["6:19 Step 'x' instructions must be a string → it is a mapping here"],
  },
  {
    yaml: step('type: action\ninstructions: yes\ninstructions: no'),
    problems: ["7:5 Step 'x' has the key 'instructions' twice → the first is in line 6"],
  },
  {
    yaml: action('n: 3'),
    problems: ["7:5 Step 'x' is of type action and cannot have 'n' → only a step of type ralph is done n times"],
  },
  {
    yaml: action('loop: l'),
    problems: ["7:5 Step 'x' is of type action and cannot have 'loop' → only a step of type loop repeats a loop"],
  },
  {
    yaml: action('artefacts: yes'),
    problems: ["7:16 Step 'x' artefacts must be true or false, got: yes → write true"],
  },
  {
    yaml: action('artefacts: "false"'),
    problems: ["7:16 Step 'x' artefacts must be true or false, got: false → write false without quotes"],
  },
  { yaml: action('artefacts: []'), problems: ["7:16 Step 'x' artefacts must be true or false, got: a list"] },
  {
    yaml: action('on_fail: rety'),
    problems: ["7:14 Step 'x' on_fail must be one of 'retry', 'skip' or 'abort', got: rety → did you mean 'retry'?"],
  },
  { yaml: action('onfail: retry'), problems: ["7:5 Step 'x' has an unknown key 'onfail' → did you mean 'on_fail'?"] },
  {
    yaml: action('retries: 2'),
    problems: ["7:5 Step 'x' has 'retries' without 'on_fail: retry' → it would be ignored"],
  },
  {
    yaml: action('on_fail: skip\nretries: 2'),
    problems: ["8:5 Step 'x' has 'retries' without 'on_fail: retry' → it would be ignored"],
  },
  {
    yaml: action('on_fail: retry\nretries: 0'),
    problems: ["8:14 Step 'x' retries must be a whole number from 1 to 100, got: 0"],
  },
  {
    yaml: action('on_fail: retry\nretries: 101'),
    problems: ["8:14 Step 'x' retries must be a whole number from 1 to 100, got: 101"],
  },
  { yaml: action('context: 5'), problems: ["7:14 Step 'x' context must be a string → write compact or clear"] },
  { yaml: action('context:'), problems: ["7:5 Step 'x' context must be a string → write compact or clear"] },
  {
    yaml: action('context: invalid'),
    problems: ["7:14 Step 'x' context must be either 'compact' or 'clear', got: invalid"],
  },
  {
    yaml: action('context: Clear'),
    problems: ["7:14 Step 'x' context must be either 'compact' or 'clear', got: Clear → did you mean 'clear'?"],
  },
  { yaml: action('agent: 5'), problems: ['7:12 Step \'x\' agent must be a string → put it in quotes: "5"'] },
  { yaml: action('agent: codr'), problems: ["7:12 Step 'x' refers to unknown agent 'codr' → add it under 'agents'"] },
  {
    yaml: `${action('agent: codr')}agents: { coder: { description: Codes } }\n`,
    problems: ["7:12 Step 'x' refers to unknown agent 'codr' → did you mean 'coder'?"],
  },
  {
    yaml: action('<<: { context: clear }'),
    problems: ["7:5 Step 'x' has an unknown key '<<' → merge keys are not supported; write the keys out"],
  },
  ...['0', '1001', '1.5', '-1', '.inf', '.nan', '1e9', 'many', 'true'].map((n) => ({
    yaml: step(`type: ralph\nn: ${n}\ninstructions: x`),
    problems: [`6:8 Step 'x' n must be a whole number from 1 to 1000, got: ${n}`],
  })),
  {
    yaml: step('type: ralph\nn: "3"\ninstructions: x'),
    problems: ["6:8 Step 'x' n must be a whole number from 1 to 1000, got: 3 → write it without quotes"],
  },
  { yaml: step('type: ralph'), problems: ["4:5 Step 'x' must have 'instructions'", "4:5 Step 'x' must have 'n'"] },

  // Loops
  {
    yaml: step('type: loop'),
    problems: ["4:9 Step 'x' is of type loop and has no loop → name one with 'loop:', or add 'x' under 'loops'"],
  },
  {
    yaml: step('type: loop\nloop: lost'),
    problems: ["6:11 Step 'x' refers to unknown loop 'lost' → add it under 'loops'"],
  },
  {
    yaml: loop('instructions: x', 'type: loop\n    loop: ll'),
    problems: [
      "4:3 Loop 'l' is used by no step → name it with 'loop:' in a step of type loop, or remove it",
      "10:11 Step 'x' refers to unknown loop 'll' → did you mean 'l'?",
    ],
  },
  {
    yaml: loop('instructions: x', 'type: loop\n    instructions: y'),
    problems: [
      "10:5 Step 'x' is of type loop and cannot have 'instructions' → they would be ignored; write them into the sub-steps of its loop",
    ],
  },
  {
    yaml: loop('instructions: x', 'type: action\n    instructions: y'),
    problems: ["4:3 Loop 'l' is used by no step → name it with 'loop:' in a step of type loop, or remove it"],
  },
  { yaml: `${HEAD}loops: []\n${STEP}`, problems: ['3:8 Template loops must be a mapping of names, got: a list'] },
  { yaml: `${HEAD}loops:\n${STEP}`, problems: ['3:1 Template loops must be a mapping of names, got: nothing'] },
  {
    yaml: `${HEAD}loops:\n  x: []\nsteps: [{ id: x, type: loop }]\n`,
    problems: ["4:6 Loop 'x' must have at least one step"],
  },
  {
    yaml: `${HEAD}loops:\n  x:\nsteps: [{ id: x, type: loop }]\n`,
    problems: ["4:3 Loop 'x' must be a list of steps, got: nothing"],
  },
  {
    yaml: `${HEAD}loops:\n  a b: [{ id: y, instructions: y }]\nsteps: [{ id: x, type: loop }]\n`,
    problems: ["4:3 Loop name must be 1 to 100 letters, digits, '_', '-' or '.', got: a b"],
  },
  {
    yaml: `${HEAD}loops:\n  constructor: [{ id: y, instructions: y }]\nsteps: [{ id: x, type: loop }]\n`,
    problems: ['4:3 Loop name is a reserved word → choose another'],
  },
  {
    yaml: `${HEAD}loops:\n  x: [{ id: y, instructions: y }]\n  x: [{ id: y, instructions: y }]\nsteps: [{ id: x, type: loop }]\n`,
    problems: ["5:3 Template loops has the key 'x' twice → the first is in line 4"],
  },
  { yaml: loop('on_fail: skip'), problems: ["5:7 Loop step 'y' must have 'instructions'"] },
  {
    yaml: loop('instructions: x\ntype: action'),
    problems: [
      "7:7 Loop step 'y' has an unknown key 'type' → known keys: id, agent, instructions, on_fail, retries, context",
    ],
  },
  {
    yaml: loop('instructions: x\ncontext: [clear]'),
    problems: ["7:16 Loop step 'y' context must be a string → write compact or clear"],
  },
  {
    yaml: loop('instructions: x\ncontext: invalid'),
    problems: ["7:16 Loop step 'y' context must be either 'compact' or 'clear', got: invalid"],
  },
  {
    yaml: loop('instructions: x\nagent: ghost'),
    problems: ["7:14 Loop step 'y' refers to unknown agent 'ghost' → add it under 'agents'"],
  },
  {
    yaml: loop('instructions: x\nretries: 2'),
    problems: ["7:7 Loop step 'y' has 'retries' without 'on_fail: retry' → it would be ignored"],
  },
  {
    yaml: loop('instructions: x\non_fail: abort\nretries: 2', 'type: loop\n    on_fail: retry'),
    problems: ["8:7 Loop step 'y' has 'retries' without 'on_fail: retry' → it would be ignored"],
  },
  {
    yaml: `${HEAD}loops:\n  x:\n    - id: y\n      instructions: y\n    - id: y\n      instructions: y\nsteps: [{ id: x, type: loop }]\n`,
    problems: ["7:11 Loop step 'y' is there twice → the first is in line 5"],
  },

  // Agents
  {
    yaml: `${HEAD}agents: [coder]\n${STEP}`,
    problems: ['3:9 Template agents must be a mapping of names, got: a list'],
  },
  {
    yaml: `${HEAD}agents:\n  a: Codes\n${STEP}`,
    problems: ["4:6 Agent 'a' must be a mapping of keys to values, got: Codes"],
  },
  { yaml: `${HEAD}agents:\n  a: {}\n${STEP}`, problems: ["4:6 Agent 'a' must have 'description'"] },
  { yaml: `${HEAD}agents: { a }\n${STEP}`, problems: ["3:11 Agent 'a' has no value"] },
  {
    yaml: `${HEAD}agents:\n  a: { description: x, tool: [Read] }\n${STEP}`,
    problems: ["4:24 Agent 'a' has an unknown key 'tool' → did you mean 'tools'?"],
  },
  {
    yaml: `${HEAD}agents:\n  a: { description: x, tools: Read }\n${STEP}`,
    problems: ["4:31 Agent 'a' tools must be a list of strings, got: Read → write [Read]"],
  },
  {
    yaml: `${HEAD}agents:\n  a: { description: x, cannot: [push, 5] }\n${STEP}`,
    problems: ['4:39 Agent \'a\' cannot entry 2 must be a string → put it in quotes: "5"'],
  },

  // YAML
  { yaml: 'name: "t', problems: ['1:9 Invalid YAML: Missing closing "quote'] },
  { yaml: 'name: t\n\tdescription: t', problems: ['2:1 Invalid YAML: Tabs are not allowed as indentation'] },
  {
    yaml: 'name: t\ndescription: Do: it',
    problems: [
      "2:14 Invalid YAML: Nested mappings are not allowed in compact mappings → text with ': ' in it needs quotes, or a '|' and lines of its own",
    ],
  },
  {
    yaml: `${HEAD}${STEP}---\nname: other\n`,
    problems: ["4:1 The file holds more than one YAML document → remove the '---' between them"],
  },
  { yaml: '? [name]\n: t', problems: ['1:3 Keys must be plain text'] },
  {
    yaml: `name: !!js/function x\ndescription: t\n${STEP}`,
    problems: ['1:7 The tag !!js/function is not allowed → write the plain value without a tag'],
  },
  {
    yaml: `name: !mine x\ndescription: t\n${STEP}`,
    problems: ['1:7 The tag !mine is not allowed → write the plain value without a tag'],
  },
  {
    yaml: `name: !!binary aGk=\ndescription: t\n${STEP}`,
    problems: ['1:7 The tag !!binary is not allowed → write the plain value without a tag'],
  },
  { yaml: `name: *t\ndescription: t\n${STEP}`, problems: ["1:7 Nothing before this alias is marked as '&t'"] },
];

describe('a template that is wrong', () => {
  it.each(rows)('has its problems listed with their places: $problems.0', ({ yaml, problems }) => {
    expect(listProblems(yaml)).toEqual(problems);
  });

  it('has all problems in one message, in the order of the text', () => {
    const yaml = `${HEAD}steps:\n  - id: x\n    type: action\n    contxt: clear\n  - id: x\n    type: loop\n`;
    expect(errorFor(yaml)).toMatchObject({
      name: 'WorkflowValidationError',
      code: 'WORKFLOW_INVALID',
      message: `The workflow template has 4 problems:
- line 4, column 5: Step 'x' must have 'instructions'
- line 6, column 5: Step 'x' has an unknown key 'contxt' (did you mean 'context'?)
- line 7, column 9: Step 'x' is there twice (the first is in line 4)
- line 7, column 9: Step 'x' is of type loop and has no loop (name one with 'loop:', or add 'x' under 'loops')`,
      problems: [
        { message: "Step 'x' must have 'instructions'", line: 4, column: 5 },
        { message: "Step 'x' has an unknown key 'contxt'", line: 6, column: 5, hint: "did you mean 'context'?" },
        { line: 7, column: 9 },
        { line: 7, column: 9 },
      ],
    });
  });

  it('has the same places with Windows line ends and a byte-order mark', () => {
    for (const { yaml } of rows.filter((row) => !row.yaml.includes('|'))) {
      expect(listProblems(`\ufeff${yaml.replaceAll('\n', '\r\n')}`)).toEqual(listProblems(yaml));
    }
  });

  it('does not put a long or odd value into the message as it is', () => {
    const [problem] = listProblems(action(`context: "${'x'.repeat(10_000)}"`));
    expect(problem).toBe(`7:14 Step 'x' context must be either 'compact' or 'clear', got: ${'x'.repeat(79)}…`);
    expect(listProblems(action('context: "a\\e[31m\\nb"'))[0]).toContain('got: a [31m b');
  });

  it('has at most a thousand problems listed, and the number of the others', () => {
    const problems = listProblems(`${HEAD}steps:\n${'  - x\n'.repeat(1_500)}`);
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toBe('1003:5 … and 500 more, which are not listed → correct these first');
  });
});

function listProblems(yaml: string): readonly string[] {
  return errorFor(yaml).problems.map(
    ({ message, line, column, hint }) => `${line}:${column} ${message}${hint === undefined ? '' : ` → ${hint}`}`,
  );
}

function errorFor(yaml: string): WorkflowValidationError {
  try {
    loadWorkflowTemplateFromString(yaml);
  } catch (error) {
    if (error instanceof WorkflowValidationError) return error;
    throw error;
  }
  throw new Error(`nothing is wrong with\n${yaml}`);
}

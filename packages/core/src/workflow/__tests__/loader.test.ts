import { describe, expect, it } from 'vitest';
import { WorkflowValidationError } from '../../errors/workflow-validation-error.js';
import { loadWorkflowTemplate, loadWorkflowTemplateFromString } from '../loader.js';

const MINIMAL = `
name: minimal
description: One step
steps:
  - id: only
    type: action
    instructions: Do it
`;

const EVERYTHING = `
name: everything
description: Every key
agents:
  coder:
    description: Writes code
    tools: [Read, Edit]
    cannot: []
loops:
  each:
    - id: code
      agent: coder
      instructions: Code {task.title}
      on_fail: retry
      retries: 5
      context: compact
    - id: test
      instructions: Test {task.title}
steps:
  - id: plan
    type: action
    agent: coder
    instructions: |
      Plan it.
      Then say so.
    artefacts: true
    on_fail: skip
    context: clear
  - id: build
    type: loop
    loop: each
    on_fail: retry
    retries: 1
  - id: polish
    type: ralph
    n: 3
    instructions: Polish
`;

describe('a valid template', () => {
  it('is loaded with exactly the keys that it has', () => {
    expect(loadWorkflowTemplateFromString(MINIMAL)).toStrictEqual({
      name: 'minimal',
      description: 'One step',
      steps: [{ id: 'only', type: 'action', instructions: 'Do it' }],
    });
  });

  it('is loaded with all keys that there are', () => {
    expect(loadWorkflowTemplateFromString(EVERYTHING)).toStrictEqual({
      name: 'everything',
      description: 'Every key',
      agents: { coder: { description: 'Writes code', tools: ['Read', 'Edit'], cannot: [] } },
      loops: {
        each: [
          {
            id: 'code',
            agent: 'coder',
            instructions: 'Code {task.title}',
            on_fail: 'retry',
            retries: 5,
            context: 'compact',
          },
          { id: 'test', instructions: 'Test {task.title}' },
        ],
      },
      steps: [
        {
          id: 'plan',
          type: 'action',
          agent: 'coder',
          instructions: 'Plan it.\nThen say so.\n',
          artefacts: true,
          on_fail: 'skip',
          context: 'clear',
        },
        { id: 'build', type: 'loop', loop: 'each', on_fail: 'retry', retries: 1 },
        { id: 'polish', type: 'ralph', instructions: 'Polish', n: 3 },
      ],
    });
  });

  it('is frozen to its last entry', () => {
    const thawed: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(path);
      for (const [key, part] of Object.entries(value)) visit(part, `${path}.${key}`);
    };
    visit(loadWorkflowTemplateFromString(EVERYTHING), 'template');

    expect(thawed).toEqual([]);
  });

  it.each([
    { kind: 'a byte-order mark', change: (yaml: string) => `\ufeff${yaml}` },
    { kind: 'Windows line ends', change: (yaml: string) => yaml.replaceAll('\n', '\r\n') },
    { kind: 'a document start and end', change: (yaml: string) => `---${yaml}...\n` },
    { kind: 'comments', change: (yaml: string) => yaml.replaceAll(/$/gm, ' # why') },
    { kind: 'its sections in another order', change: (yaml: string) => yaml.replace(/(name.*\n)(.*)/s, '$2$1') },
  ])('may have $kind', ({ change }) => {
    expect(loadWorkflowTemplateFromString(change(MINIMAL))).toEqual(loadWorkflowTemplateFromString(MINIMAL));
  });

  it('may be JSON', () => {
    const template = loadWorkflowTemplateFromString(EVERYTHING);
    expect(loadWorkflowTemplateFromString(JSON.stringify(template, null, '\t'))).toEqual(template);
  });

  it('may repeat texts and mappings by aliases', () => {
    const template = loadWorkflowTemplateFromString(`
name: &name shared
description: *name
agents:
  a: &agent { description: Same for both }
  b: *agent
steps:
  - { id: one, type: action, agent: a, instructions: &do Do it }
  - { id: two, type: action, agent: b, instructions: *do }
`);
    expect(template.agents).toEqual({ a: { description: 'Same for both' }, b: { description: 'Same for both' } });
    expect(template.steps.map(({ instructions }) => instructions)).toEqual(['Do it', 'Do it']);
    expect(template.description).toBe('shared');
  });

  it.each(['Prüfung', 'étape-1', 'ステップ', '7', 'a.b', '_', 'toString', 'x'.repeat(100), '𝒳'.repeat(100)])(
    'may have the id %s',
    (id) => {
      const yaml = MINIMAL.replace('id: only', `id: "${id}"`);
      expect(loadWorkflowTemplateFromString(yaml).steps[0]?.id).toBe(id);
    },
  );

  it('may have names that every object has a property of', () => {
    const { agents, loops } = loadWorkflowTemplateFromString(`
name: x
description: x
agents: { toString: { description: x }, valueOf: { description: x } }
loops: { hasOwnProperty: [{ id: x, agent: toString, instructions: x }] }
steps: [{ id: hasOwnProperty, type: loop, agent: valueOf }]
`);
    expect([Object.keys(agents ?? {}), Object.keys(loops ?? {})]).toEqual([
      ['toString', 'valueOf'],
      ['hasOwnProperty'],
    ]);
  });

  it('keeps sections that are empty', () => {
    const template = loadWorkflowTemplateFromString(`${MINIMAL}agents: {}\nloops: {}\n`);
    expect([template.agents, template.loops]).toEqual([{}, {}]);
  });

  it('has the values of YAML 1.2 despite another directive', () => {
    const yaml = `%YAML 1.1\n---${MINIMAL.replace('One step', 'yes')}`;
    expect(loadWorkflowTemplateFromString(yaml).description).toBe('yes');
  });

  it('accepts a tag that matches the value', () => {
    expect(loadWorkflowTemplateFromString(MINIMAL.replace('One step', '!!str 1')).description).toBe('1');
  });
});

describe('a template from a file', () => {
  it('is read by the reader that is given', () => {
    const template = loadWorkflowTemplate('some/file.yaml', (path) => MINIMAL.replace('minimal', path));
    expect(template.name).toBe('some/file.yaml');
  });

  it('that cannot be read is a validation error that says what to do and keeps the cause', () => {
    const cause = new Error('no such file');
    const error = problemsOf(() =>
      loadWorkflowTemplate('gone.yaml', () => {
        throw cause;
      }),
    );
    expect(error.cause).toBe(cause);
    expect(error.message).toBe(
      `The workflow template 'gone.yaml' has a problem:
- line 1, column 1: The file cannot be read: no such file (check the path and its permissions)`,
    );
  });

  it('is named where it is wrong', () => {
    const error = problemsOf(() => loadWorkflowTemplate('wrong.yaml', () => 'name: x\ndescription: y\nsteps: z\n'));
    expect(error.path).toBe('wrong.yaml');
    expect(error.message).toBe(
      `The workflow template 'wrong.yaml' has a problem:
- line 3, column 8: Template steps must be a list of steps, got: z`,
    );
  });
});

function problemsOf(act: () => unknown): WorkflowValidationError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(WorkflowValidationError);
    return error as WorkflowValidationError;
  }
  throw new Error('nothing was wrong');
}

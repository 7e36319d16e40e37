import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorkflowWorld, removeWorlds, small } from '../../__tests__/workflow-world.js';

afterAll(removeWorlds);

const check = async (stdin: string) => (await createWorkflowWorld({ stdin }).workflow('check', '-')).stdout.split('\n');

describe('devs workflow check', () => {
  it.each([
    {
      wrong: 'a key',
      text: small('x', 'nme: y\n'),
      says: [
        "<stdin>:7:1: error: Template has an unknown key 'nme'",
        '  7 | nme: y',
        '    | ^',
        "    hint: did you mean 'name'?",
      ],
    },
    {
      wrong: 'an agent, behind tabs and wide characters',
      text: 'name: x\ndescription: y\nsteps: [{id: 漢字,\ttype: action, agent: codr, instructions: z}]\nagents: {coder: {description: w}}\n',
      says: [
        "<stdin>:3:39: error: Step '漢字' refers to unknown agent 'codr'",
        '  3 | steps: [{id: 漢字,    type: action, agent: codr, instructions: z}]',
        '    |                                            ^',
        "    hint: did you mean 'coder'?",
      ],
    },
    {
      wrong: 'a line that a terminal would obey',
      text: small('x', '"\\e\u001b[2J": y\n'),
      says: [
        "<stdin>:7:1: error: Template has an unknown key ' [2J'",
        '  7 | "\\e␛[2J": y',
        '    | ^',
        '    hint: known keys: name, description, agents, loops, steps',
      ],
    },
    {
      wrong: 'a value at the end of a long line',
      text: `name: x\ndescription: y\nsteps: [{id: a, instructions: ${'long '.repeat(100)}, type: acton}]\n`,
      says: [
        "<stdin>:3:539: error: Step 'a' type must be one of 'action', 'loop' or 'ralph', got: acton",
        `  3 | …${'long '.repeat(7)}, type: acton}]`,
        `    | ${' '.repeat(44)}^`,
        "    hint: did you mean 'action'?",
      ],
    },
    {
      wrong: 'a line behind a byte order mark and Windows line ends',
      text: `\ufeffnme: y\r\n${small('x').replaceAll('\n', '\r\n')}stesp: z`,
      says: [
        "<stdin>:1:1: error: Template has an unknown key 'nme'",
        '  1 | nme: y',
        '    | ^',
        "    hint: did you mean 'name'?",
        '',
        "<stdin>:8:1: error: Template has an unknown key 'stesp'",
        '  8 | stesp: z',
        '    | ^',
        "    hint: did you mean 'steps'?",
        '',
        '2 problems in 1 workflow.',
      ],
    },
  ])('shows the place of $wrong, and what to do', async ({ text, says }) => {
    expect((await check(text)).slice(0, says.length)).toEqual(says);
  });

  it('goes through all of them and ends with a count', async () => {
    const { workflow, root } = createWorkflowWorld({
      shipped: { 'default.yaml': small('default') },
      project: { 'bad.yaml': small('bad', 'x: 1\ny: 2\n') },
    });
    writeFileSync(join(root, 'other.yaml'), small('other', 'z: 3\n'));

    const { exitCode, stdout, stderr } = await workflow('check', 'bad', 'defalt', 'default', join(root, 'other.yaml'));

    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.includes('error:') || line.includes('problems'))).toEqual([
      ".devs/workflows/bad.yaml:7:1: error: Template has an unknown key 'x'",
      ".devs/workflows/bad.yaml:8:1: error: Template has an unknown key 'y'",
      'defalt: error: there is no workflow defalt. Did you mean `default`? See what there is: `devs workflow list`.',
      `${join(root, 'other.yaml')}:7:1: error: Template has an unknown key 'z'`,
      '4 problems in 3 of 4 workflows.',
    ]);
  });

  it('looks at all of the project where none is named', async () => {
    const { workflow } = createWorkflowWorld({
      shipped: { 'shipped.yaml': 'not looked at' },
      project: { 'a.yaml': small('a'), 'b.yml': small('b') },
    });

    expect(await workflow('check')).toEqual({ exitCode: 0, stdout: '2 workflows, no problems.\n', stderr: '' });
  });

  it('says so where the project has none', async () => {
    expect(await createWorkflowWorld().workflow('check')).toEqual({
      exitCode: 0,
      stdout: 'No workflows in .devs/workflows/ to check. Make one: devs workflow new NAME\n',
      stderr: '',
    });
  });

  it('gives the problems as JSON, with the same exit code', async () => {
    const { workflow } = createWorkflowWorld({ stdin: small('x', 'nme: y\n') });

    const { exitCode, stdout } = await workflow('check', '-', '--json');

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      workflows: [
        {
          path: '<stdin>',
          ok: false,
          problems: [
            { message: "Template has an unknown key 'nme'", line: 7, column: 1, hint: "did you mean 'name'?" },
          ],
        },
      ],
    });
  });
});

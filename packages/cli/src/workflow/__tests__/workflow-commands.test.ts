import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { STARTER } from '../workflow-new.js';
import { createWorkflowWorld, removeWorlds, small } from './workflow-world.js';

afterAll(removeWorlds);

describe('devs workflow list', () => {
  it('says of each workflow where it is from and what it is for, or that it does not load', async () => {
    const { workflow } = createWorkflowWorld({
      shipped: { 'default.yaml': small('default'), 'feature.yml': STARTER, 'schema.json': '{}' },
      project: { 'default.yaml': small('mine'), 'bad.yaml': 'name: [\n' },
    });

    const { exitCode, stdout, stderr } = await workflow('list');

    expect(exitCode).toBe(0);
    expect(stderr).toContain('.devs/workflows/default.yaml has the name of a workflow that comes with devs');
    expect(stdout.split('\n')).toEqual([
      'bad      project        –  1 problem: devs workflow check bad',
      'default  shipped   1 step  About default',
      'feature  shipped  4 steps  Say here what this workflow is for',
      '',
      '3 workflows. See one: devs workflow show NAME',
      '',
    ]);
  });

  it('gives the same as JSON', async () => {
    const { json, root, shippedWorkflows } = createWorkflowWorld({
      shipped: { 'default.yaml': small('default') },
      project: { 'bad.yaml': small('bad', 'nme: x\n') },
    });

    expect(await json('list')).toEqual({
      workflows: [
        {
          name: 'bad',
          origin: 'project',
          path: join(root, '.devs', 'workflows', 'bad.yaml'),
          problems: [
            { message: "Template has an unknown key 'nme'", line: 7, column: 1, hint: "did you mean 'name'?" },
          ],
        },
        {
          name: 'default',
          origin: 'shipped',
          path: join(shippedWorkflows, 'default.yaml'),
          steps: 1,
          description: 'About default',
        },
      ],
    });
  });

  it('says how to make one where there is none', async () => {
    const { stdout } = await createWorkflowWorld().workflow('list');

    expect(stdout).toBe('No workflows. Make one: devs workflow new NAME --starter\n');
  });
});

describe('devs workflow show', () => {
  const shipped = { 'starter.yaml': STARTER };

  it('is readable, with shortened instructions', async () => {
    const { stdout } = await createWorkflowWorld({ shipped }).workflow('show', 'starter');

    expect(stdout.replace(/^shipped: .*$/m, 'shipped: FILE').split('\n')).toEqual([
      'starter',
      'Say here what this workflow is for',
      'shipped: FILE',
      '',
      'Agents',
      '  reviewer',
      '    Reads the changes and says what is wrong',
      '    cannot: change files',
      '',
      'Steps',
      '  1. plan   action',
      '     Read what the request touches, and split the work into tasks.',
      '',
      '  2. work   loop, for each task · on failure retry ×2',
      '     a. implement',
      '        Task {task.id}: {task.title} {task.description}',
      '     b. verify   on failure skip the task',
      '        Run the tests, and show that the task is done.',
      '',
      '  3. polish   ralph · ×2 · compact before each time',
      '     Look at everything again, and improve what is weakest.',
      '',
      '  4. review   action · agent reviewer · clear first',
      '     Compare the changes with the request, and list what is wrong.',
      '',
      'Instructions are shortened: --full shows all of them.',
      '',
    ]);
  });

  it('shows whole instructions with --full, line by line', async () => {
    const { stdout } = await createWorkflowWorld({ shipped }).workflow('show', 'starter', '--full');

    expect(stdout).toContain('        Task {task.id}: {task.title}\n        {task.description}\n');
    expect(stdout).not.toContain('shortened');
  });

  it('gives the loaded template as JSON', async () => {
    const template = await createWorkflowWorld({ stdin: small('piped') }).json('show', '-');

    expect(template).toEqual({
      name: 'piped',
      description: 'About piped',
      steps: [{ id: 'only', type: 'action', instructions: 'Do it.' }],
    });
  });

  it('obeys nothing that the workflow says', async () => {
    const text = small('evil').replace('Do it.', '"\\e[2Jgone"').replace('About evil', '"\\e]0;title\\a"');
    const { stdout } = await createWorkflowWorld({ stdin: text }).workflow('show', '-', '--full');

    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\u0007\u001b]/);
  });
});

describe('a workflow', () => {
  it('may be a file', async () => {
    const { json, root } = createWorkflowWorld();
    writeFileSync(join(root, 'flow.yaml'), small('from-file'));

    expect(await json('show', join(root, 'flow.yaml'))).toMatchObject({ name: 'from-file' });
  });

  it.each([
    {
      asked: 'featrue',
      says: 'there is no workflow featrue. Did you mean `feature`? See what there is: `devs workflow list`.',
    },
    { asked: 'xyzzy', says: 'there is no workflow xyzzy. See what there is: `devs workflow list`.' },
    { asked: 'feature.yaml', says: 'there is no file feature.yaml. Did you mean the workflow `feature`?' },
    { asked: './nothing', says: 'there is no file "./nothing". Check the path.' },
    {
      asked: 'bad',
      says: ".devs/workflows/bad.yaml has 1 problem. Line 7: Template has an unknown key 'x'. See all: `devs workflow check bad`.",
    },
  ])('$asked that cannot be used is answered with what to do', async ({ asked, says }) => {
    const { workflow } = createWorkflowWorld({
      shipped: { 'feature.yaml': small('feature') },
      project: { 'bad.yaml': small('bad', 'x: 1\n') },
    });

    for (const command of ['show', 'graph']) {
      expect(await workflow(command, asked)).toEqual({ exitCode: 1, stdout: '', stderr: `devs: ${says}\n` });
    }
  });
});

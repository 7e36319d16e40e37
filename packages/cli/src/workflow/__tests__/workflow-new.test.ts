import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { renameTemplate } from '../new/rename-template.js';
import { readTemplate } from '../read-template.js';
import { STARTER } from '../workflow-new.js';
import { createWorkflowWorld, removeWorlds, small } from './workflow-world.js';

afterAll(removeWorlds);

const SCHEMA_LINE = '# yaml-language-server: $schema=./schema.json\n';

const shipped = {
  'default.yaml': `${SCHEMA_LINE}# kept\n${small('default')}`,
  'bugfix.yaml': small('bugfix'),
  'schema.json': '{"title": "devs workflow template"}',
};

describe('devs workflow new', () => {
  it('writes the default under the new name, with a schema beside it, and says what to do next', async () => {
    const { workflow, root } = createWorkflowWorld({ shipped });

    const { exitCode, stdout } = await workflow('new', 'release');

    const folder = join(root, '.devs', 'workflows');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      '  made       .devs/workflows/release.yaml, from default',
      '  edit       a YAML plugin of your editor knows the keys from schema.json',
      '  check      devs workflow check release',
      '  use        devs mcp --workflow-path .devs/workflows/release.yaml',
      '',
    ]);
    expect(readFileSync(join(folder, 'release.yaml'), 'utf8')).toBe(
      `${SCHEMA_LINE}# kept\n${small('release').replace('About release', 'About default')}`,
    );
    expect(readFileSync(join(folder, 'schema.json'), 'utf8')).toBe(shipped['schema.json']);
    expect((await workflow('check')).stdout).toBe('1 workflow, no problems.\n');
  });

  it('keeps .devs/ out of git as the store does', async () => {
    const { workflow, root } = createWorkflowWorld({ shipped });

    await workflow('new', 'release');

    expect(readFileSync(join(root, '.git', 'info', 'exclude'), 'utf8')).toBe('/.devs/\n');
  });

  it.each([
    { argv: ['--from', 'bugfix'], from: 'bugfix', description: 'About bugfix' },
    { argv: ['--starter'], from: 'starter', description: 'Say here what this workflow is for' },
  ])('begins with what $argv says', async ({ argv, from, description }) => {
    const { json, root } = createWorkflowWorld({ shipped });
    const folder = join(root, '.devs', 'workflows');

    expect(await json('new', 'mine', ...argv)).toEqual({
      name: 'mine',
      path: join(folder, 'mine.yaml'),
      from,
      schema: join(folder, 'schema.json'),
    });
    expect(await json('show', 'mine')).toMatchObject({ name: 'mine', description });
  });

  it('begins with the starter where nothing came with devs, and without a schema', async () => {
    const { json, root } = createWorkflowWorld();

    expect(await json('new', 'mine')).toMatchObject({ from: 'starter', schema: null });
    expect(readFileSync(join(root, '.devs', 'workflows', 'mine.yaml'), 'utf8')).toMatch(/^name: mine\n/);
  });

  it('says that it overrides the shipped one', async () => {
    const { workflow } = createWorkflowWorld({ shipped });

    expect((await workflow('new', 'bugfix')).stdout).toContain('it counts before the bugfix that comes with devs');
  });

  it.each(['mine.yaml', 'mine.yml'])('does not overwrite %s', async (file) => {
    const { workflow, root } = createWorkflowWorld({ shipped, project: { [file]: 'mine' } });

    expect(await workflow('new', 'mine')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `devs: .devs/workflows/${file} already exists. Choose another name, or edit it.\n`,
    });
    expect(readFileSync(join(root, '.devs', 'workflows', file), 'utf8')).toBe('mine');
  });

  it('says where it could not write', async () => {
    const { workflow, root } = createWorkflowWorld({ shipped });
    mkdirSync(join(root, '.devs'));
    writeFileSync(join(root, '.devs', 'workflows'), 'a file, not a folder');

    const { exitCode, stderr } = await workflow('new', 'mine');

    expect(exitCode).toBe(1);
    expect(stderr).toContain('devs: cannot write .devs/workflows/mine.yaml: ');
  });

  it.each(['../up', 'a/b', '', '.hidden', '-x', 'a b', 'x.yaml', 'a\u001bb', 'x'.repeat(101)])(
    'refuses the name %j and makes nothing',
    async (name) => {
      const { workflow, root } = createWorkflowWorld({ shipped });

      expect((await workflow('new', '--', name)).exitCode).toBe(2);
      expect(existsSync(join(root, '.devs'))).toBe(false);
    },
  );

  it('refuses what to begin with where that is not to be found, and makes nothing', async () => {
    const { workflow, root } = createWorkflowWorld({ shipped });

    const { exitCode, stderr } = await workflow('new', 'mine', '--from', 'bugfx');

    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Did you mean `bugfix`?'),
    });
    expect(existsSync(join(root, '.devs'))).toBe(false);
    expect((await workflow('new', 'mine', '--from', 'bugfix', '--starter')).exitCode).toBe(2);
  });
});

describe('a template gets another name', () => {
  it.each(['mine', 'null', 'Yes', '1.5', '2024-01-01', 'größe', 'a.b', '_x'])(
    '%s, which stays a text',
    async (name) => {
      expect(await readTemplate(await renameTemplate(STARTER, name))).toMatchObject({ ok: true, template: { name } });
    },
  );

  it.each([
    ['over several lines', small('x').replace('name: x', 'name: >-\n  one\n  two')],
    ['behind another key', small('x').replace(/^(name: x\n)(.*\n)/, '$2$1')],
    ['with Windows line ends and a byte order mark', `\ufeff${small('x').replaceAll('\n', '\r\n')}`],
  ])('also where the old one stands %s', async (_where, text) => {
    expect(await readTemplate(await renameTemplate(text, 'new'))).toMatchObject({
      ok: true,
      template: { name: 'new' },
    });
  });

  it('unless it is written in an unusual way', async () => {
    await expect(renameTemplate(small('x').replace('name:', '"name":'), 'new')).rejects.toThrow(
      'Copy the file by hand',
    );
  });
});

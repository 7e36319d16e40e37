import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGitPlace } from '@devs/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorld, noRuns, ROOT } from '../../__tests__/run-here.js';
import { createMemoryAgreements } from '../../trust/__tests__/memory-agreements.js';
import { projectSubject } from '../../trust/agreements.js';
import { createProjectFolder, guessCommands } from '../create-project-folder.js';

const CONFIG = `${ROOT}/.devs/config.yaml`;

describe('devs init', () => {
  it('says what it found and writes a configuration that is right', async () => {
    const { done, files } = createWorld();
    const shown = await done('init');
    expect(shown).toContain('a repository: each run gets a worktree of its own');
    expect(shown).toMatch(/agent \* +builtin 1\.2\.3/);
    expect(shown).toContain('claude: it is not installed');
    expect(files.get(CONFIG)).toContain('\nchecks: [[npm, test]]\n');
    expect(await done('config')).toMatch(/^setup +\[\["npm","ci"\]\] +\.devs\/config\.yaml:\d+$/m);
    expect([...files.keys()]).toEqual([CONFIG, `${ROOT}/.devs/workflows/feature.yaml`]);
  });

  it('says that a repository without a commit needs one first', async () => {
    const { devs } = createWorld();
    const found = {
      root: ROOT,
      isRepository: true,
      hasCommit: false,
      specs: {},
      setup: [],
      checks: [],
      allow: [],
      ownFiles: [],
    };
    const project = {
      look: async () => found,
      exists: async () => false,
      write: async () => true,
      describe: async () => ({}),
    };
    const { stdout } = await devs(['init'], { project });
    expect(stdout).toContain('a repository without a commit: runs need a first one');
    expect(stdout).toMatch(/First: git add .*\nNext: devs run/);
  });

  it('says what the built-in agent lacks where no other is there, and leaves the choice open', async () => {
    const { devs, files } = createWorld();
    const none = { kind: 'unusable', reason: 'it has no model', advice: 'set ANTHROPIC_API_KEY' } as const;
    const inspect = async () => [{ agent: 'builtin', inspection: none }];
    const { stdout } = await devs(['init'], { runs: { ...noRuns, inspect } });
    expect(stdout).toContain('builtin: it has no model; set ANTHROPIC_API_KEY');
    expect(stdout).toContain('No agent can work yet.');
    expect(files.get(CONFIG)).toMatch(/^agent: auto/m);
  });

  it('stores what the project is, for the prompts', async () => {
    const { done } = createWorld();
    await done('init');
    await done('task', 'add', 'Fix it', '--id', 'fix');
    expect(await done('debug', 'prompt', 'fix')).toContain('"description": "Sells things"');
  });

  it('overwrites nothing', async () => {
    const { done, json, files } = createWorld();
    files.set(CONFIG, 'agent: codex\n');
    expect(await done('init')).toContain('already exists, left unchanged');
    expect(files.get(CONFIG)).toBe('agent: codex\n');
    expect(await json('init')).toMatchObject({
      written: [],
      kept: ['.devs/config.yaml', '.devs/workflows/feature.yaml'],
    });
  });

  it('only says what it would write with --dry-run', async () => {
    const { done, files } = createWorld();
    const shown = await done('init', '--dry-run');
    expect(shown).toContain('Would write');
    expect(shown).toContain('checks: [[npm, test]]');
    expect([...files.keys()]).toEqual([]);
  });
});

describe('what a project says of itself', () => {
  it('is read from its README, package.json and specs, and from nothing outside of it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'devs-project-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, 'Readme.md'), '# Shop\n\nSells things.\n');
    writeFileSync(join(root, 'TAS.md'), '# How it works\n');
    symlinkSync('/etc/hostname', join(root, 'package.json'));
    const folder = createProjectFolder({
      here: async () => ({ root, file: join(root, '.devs', 'state.db') }),
      loadStores: () => import('@devs/store'),
      agreements: createMemoryAgreements(),
      hasCommit: async () => false,
    });
    expect(await folder.describe()).toEqual({
      name: 'Shop',
      description: 'Sells things.',
      specs: [{ path: 'TAS.md', title: 'How it works' }],
    });
  });
});

describe('the commands of a project', () => {
  it.each([
    [{ 'package.json': '{"scripts":{"test":"vitest"}}', 'package-lock.json': '' }, [['npm', 'ci']], [['npm', 'test']]],
    [
      { 'package.json': '{"scripts":{"test":"x"},"devDependencies":{"a":"1"}}' },
      [['npm', 'install']],
      [['npm', 'test']],
    ],
    [{ 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, [], []],
    [{ 'package.json': 'not JSON', 'pnpm-lock.yaml': '' }, [['pnpm', 'install', '--frozen-lockfile']], []],
    [{ 'Cargo.toml': '' }, [], [['cargo', 'test']]],
    [{ 'go.mod': '' }, [], [['go', 'test', './...']]],
    [{ 'pyproject.toml': '[tool.pytest]', 'uv.lock': '' }, [['uv', 'sync']], [['uv', 'run', 'pytest', '-q']]],
    [{ 'setup.py': '', 'requirements-dev.txt': 'pytest==9\n' }, [], [['pytest', '-q']]],
    [{ 'pyproject.toml': '', tests: '' }, [], [['python3', '-m', 'unittest', 'discover', 'tests']]],
    [{ Makefile: 'all:\n\ntest: all\n\trun\n' }, [], [['make', 'test']]],
    [{ Makefile: 'tests:\n' }, [], []],
  ] as const)('are guessed from %j', (files, setup, checks) => {
    const known: Readonly<Record<string, string>> = files;
    const folder = { has: (name: string) => name in known, read: (name: string) => known[name] ?? '' };
    expect(guessCommands(folder)).toMatchObject({ setup, checks });
  });
});

describe('what an agent may do in a project without being asked', () => {
  it.each([
    [
      { 'package.json': '{"scripts":{"test":"vitest","lint":"x","deploy":"y"}}', 'pnpm-lock.yaml': '' },
      ['pnpm test', 'pnpm run lint'],
    ],
    [{ 'package.json': '{"scripts":{"postinstall":"x"}}' }, []],
    [{ 'Cargo.toml': '' }, ['cargo build', 'cargo check', 'cargo clippy', 'cargo fmt', 'cargo test']],
    [{ 'pyproject.toml': '[tool.pytest]', 'uv.lock': '' }, ['uv run pytest']],
    [{ Makefile: 'deploy:\n' }, []],
  ] as const)('is to build and test, and not to fetch or publish, by %j', (files, allow) => {
    const known: Readonly<Record<string, string>> = files;
    const folder = { has: (name: string) => name in known, read: (name: string) => known[name] ?? '' };
    expect(guessCommands(folder).work.map((command) => command.join(' '))).toEqual(allow);
  });

  it('stands in the new settings, and is said', async () => {
    const { done, files } = createWorld();
    expect(await done('init')).toMatch(/allowed +npm test, git status, git add, git commit\n/);
    expect(files.get(CONFIG)).toContain('\n  allow: ["npm test", "git status", "git add", "git commit"] # ');
  });
});

describe('the folder of a project', () => {
  function createFolder() {
    const root = mkdtempSync(join(tmpdir(), 'devs-init-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const here = async () => ({ root, file: join(root, '.devs', 'state.db') });
    const agreements = createMemoryAgreements();
    const loadStores = async () => ({ prepareProjectStore: () => {}, isGitPlace });
    const hasCommit = async () => false;
    return { root, agreements, folder: createProjectFolder({ here, loadStores, agreements, hasCommit }) };
  }

  it('is looked at, and files in it are never overwritten', async () => {
    const { root, folder, agreements } = createFolder();
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs', 'TAS.md'), '# TAS');
    writeFileSync(join(root, '.env'), 'A=1');
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, '.claude', 'settings.local.json'), '{}');
    expect(await folder.look()).toMatchObject({
      isRepository: false,
      hasCommit: false,
      specs: { tas: join(root, 'docs', 'TAS.md') },
      ownFiles: ['.env', '.claude/settings.local.json'],
    });
    const file = { path: '.devs/config.yaml', kind: 'settings' } as const;
    expect(await folder.write({ ...file, text: 'a' })).toBe(true);
    expect(await folder.write({ ...file, text: 'b' })).toBe(false);
    const subject = projectSubject('settings', root, '.devs/config.yaml');
    expect([await agreements.has(subject, 'a'), await agreements.has(subject, 'b')]).toEqual([true, false]);
    expect(readFileSync(join(root, '.devs', 'config.yaml'), 'utf8')).toBe('a');
  });

  it('that cannot be written to is told with what to do', async () => {
    const { root, folder } = createFolder();
    writeFileSync(join(root, '.devs'), 'a file where the folder should be');
    await expect(folder.write({ path: '.devs/config.yaml', kind: 'settings', text: 'a' })).rejects.toThrow(
      /cannot write \.devs\/config\.yaml/,
    );
  });
});

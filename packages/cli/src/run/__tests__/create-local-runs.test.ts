import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_SETTINGS, noRunFacts, type RunFacts } from '@devs/core';
import { makeRunWorktree } from '@devs/worktree';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalRuns, type LocalRunsDeps } from '../create-local-runs.js';

type LoadWorktree = LocalRunsDeps['loadWorktree'];

/** A repository of a user without any agent, and the runs in it. */
function openRuns(
  own: Readonly<Record<string, string>> = {},
  loadWorktree: LoadWorktree = () => import('@devs/worktree'),
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devs-create-runs-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'shop');
  mkdirSync(folder);
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
  const env = { PATH: process.env.PATH ?? '', HOME: root, XDG_STATE_HOME: join(root, 'state'), ...author, ...own };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message', 'First');
  const runs = createLocalRuns({
    loadSupervisor: () => import('@devs/supervisor'),
    loadMcp: () => import('@devs/mcp'),
    loadWorktree,
    loadStores: () => import('@devs/store'),
    driverOf: async (agent) =>
      agent === 'builtin'
        ? (await import('@devs/drivers')).createBuiltinDriver({
            clock: { now: () => 0 },
            version: '1.2.3',
            command: [process.execPath, 'devs.mjs', 'agent'],
          })
        : undefined,
    here: async () => ({ root: folder, file: join(folder, '.devs', 'state.db') }),
    env,
    platform: 'linux',
    home: root,
    hostName: 'here',
    clock: { now: () => 0 },
    newId: () => 'id',
    by: 'anna',
    devsCommand: [process.execPath, 'devs.mjs'],
    hasScriptedModel: true,
  });
  const make = async (runId: string) => {
    const made = await makeRunWorktree({ folder, runId, copy: [], setup: [], env, commandMs: 10_000 });
    if (made.outcome !== 'made') throw new Error(JSON.stringify(made));
    return made.path;
  };
  return { runs, root, folder, git, make };
}

const REDACTED = '/tmp/[redacted:high-entropy]/shop';

/** As it is read from a store that has taken the path for a secret. */
const redacted = (id: string): RunFacts => ({
  ...noRunFacts(id),
  plan: { request: 'x', workflow: 'feature', agent: 'builtin', place: 'own', folder: REDACTED },
  worktree: { path: `${REDACTED}/${id}`, branch: `devs/${id}`, base: 'b' },
});

describe('the work of a run whose stored paths are redacted', () => {
  it('is merged into the project in which the user is', async () => {
    const { runs, folder, git, make } = openRuns();
    const path = await make('run-1');
    writeFileSync(join(path, 'hello.txt'), 'Hi\n');
    expect(await runs.merge(redacted('run-1'))).toMatchObject({
      outcome: 'refused',
      reason: "hello.txt of the run's work tree is not committed",
      advice: `Commit it in ${path}, or have git ignore it, then: git merge devs/run-1`,
    });
    git('-C', path, 'add', '.');
    git('-C', path, 'commit', '--quiet', '--message', 'Hello');
    expect(await runs.worktrees()).toMatchObject([{ runId: 'run-1', holds: 'devs/run-1 is not merged' }]);
    expect(await runs.merge(redacted('run-1'))).toMatchObject({ outcome: 'merged', into: 'main' });
    expect(existsSync(join(folder, 'hello.txt'))).toBe(true);
    expect(await runs.placeOf('run-1')).toEqual({ folder, worktree: path });
    expect(await runs.removeWorktree('run-1')).toEqual({ outcome: 'removed', keptBranch: false });
    expect(await runs.placeOf('run-1')).toEqual({ folder });
  });
});

describe('the work of a run', () => {
  it('is merged without what a check left, or what may hold a secret; not without its commits', async () => {
    const { runs, folder, git, make } = openRuns();
    const path = await make('run-1');
    writeFileSync(join(path, 'hello.txt'), 'Hi\n');
    git('-C', path, 'add', '.');
    git('-C', path, 'commit', '--quiet', '--message', 'Hello');
    for (const name of ['coverage.txt', 'server.pem']) writeFileSync(join(path, name), '');
    const run = { ...redacted('run-1'), left: [{ what: 'server.pem', why: 'secret' }] };
    const elsewhere = [{ hash: '0'.repeat(40), subject: 'On another branch' }];
    expect(await runs.merge({ ...run, commits: elsewhere })).toMatchObject({
      outcome: 'refused',
      reason: 'the commits of the run are not on devs/run-1',
    });
    const base = git('rev-parse', 'main').toString().trim();
    const diffed = { ...run, worktree: { path, branch: 'devs/run-1', base } };
    expect(await runs.diff(diffed)).toMatchObject({ outcome: 'printed', text: expect.stringContaining('+Hi') });
    expect(await runs.merge(run)).toMatchObject({ outcome: 'merged' });
    expect(existsSync(join(folder, 'hello.txt'))).toBe(true);
    expect(await runs.removeWorktree('run-1')).toMatchObject({ outcome: 'refused' });
  });

  it('is shown also where its work tree is taken away meanwhile', async () => {
    let isTaken = false;
    const loadWorktree: LoadWorktree = async () => {
      const all = await import('@devs/worktree');
      return {
        ...all,
        async findRunWorktree(request) {
          const found = await all.findRunWorktree(request);
          if (found !== undefined && isTaken) git('worktree', 'remove', found.path);
          return found;
        },
      };
    };
    const { runs, git, make } = openRuns({}, loadWorktree);
    const path = await make('run-1');
    const base = git('rev-parse', 'main').toString().trim();
    writeFileSync(join(path, 'hello.txt'), 'Hi\n');
    git('-C', path, 'add', '.');
    git('-C', path, 'commit', '--quiet', '--message', 'Hello');
    isTaken = true;
    const run = { ...redacted('run-1'), worktree: { path, branch: 'devs/run-1', base } };

    expect(await runs.diff(run)).toMatchObject({ outcome: 'printed', text: expect.stringContaining('+Hi') });
  });
});

const TELLS = `
const { env, argv } = process;
const told = [process.cwd(), env.SHOP_MARK, env.DEVS_NOTICE, env.DEVS_RUN, env.DEVS_NOTICE_TEXT, argv.at(-1)];
const [, file] = argv;
require('node:fs').writeFileSync(file + '.part', JSON.stringify(told));
require('node:fs').renameSync(file + '.part', file);
`;

describe("the user's program for notices", () => {
  it('runs in the project, with the environment of the user', async () => {
    const { runs, root, folder } = openRuns({ SHOP_MARK: 'of the caller' });
    const file = join(root, 'told.json');
    const notices = { ...DEFAULT_SETTINGS.notices, command: [process.execPath, '-e', TELLS, file] };

    runs.tell({ ...DEFAULT_SETTINGS, notices }, { kind: 'escalated', run: 'run-1', text: 'Which one?' });

    while (!existsSync(file)) await pause(20);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
      ...[folder, 'of the caller'],
      ...['escalated', 'run-1', 'Which one?', 'Which one?'],
    ]);
  });
});

describe('the agents that could work', () => {
  it('are without the built-in one while that has no model', async () => {
    expect(await openRuns().runs.inspect(DEFAULT_SETTINGS)).toMatchObject([
      { agent: 'builtin', inspection: { kind: 'unusable', reason: 'it has no model' } },
    ]);
    expect(await openRuns({ ANTHROPIC_API_KEY: 'k' }).runs.inspect(DEFAULT_SETTINGS)).toMatchObject([
      { agent: 'builtin', inspection: { kind: 'installed' } },
    ]);
  });
});

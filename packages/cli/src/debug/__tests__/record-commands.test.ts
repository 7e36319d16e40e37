import { buildMinimalState, buildPrompt, foldSupervisorState } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createWorld, noRuns, ROOT } from '../../__tests__/run-here.js';
import type { Runs } from '../../run/create-runs.js';
import type { DebugServices } from '../debug-services.js';

const FILE = `${ROOT}/.devs/state.db`;

async function prepared() {
  const world = createWorld();
  await world.done('task', 'add', 'a', '--description', 'bell \u0007');
  await world.done('task', 'add', 'b', '--after', 'a');
  await world.done('task', 'start', 'a', '--by', 'anna');
  await world.done('task', 'done', 'a', '--result', 'works');
  await world.done('task', 'block', 'b', '--reason', 'no \u001b[2J key');
  return world;
}

describe('devs log', () => {
  it('shows the newest, a stream, or what came behind a position', async () => {
    const { done, json } = await prepared();
    const types = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type);

    expect((await done('log')).split('\n')).toHaveLength(8);
    expect(await done('log', '--limit', '1')).toBe('2026-01-01 00:00:00  task:b            blocked: no ␛[2J key\n');
    expect(types(await done('log', '--json', '--stream', 'task:a'))).toEqual([
      'task.added',
      'dependent.added',
      'task.claimed',
      'task.completed',
    ]);
    expect(types(await done('log', '--json', '--after', '4', '--limit', '2'))).toEqual([
      'task.completed',
      'dependency.completed',
    ]);
    expect(await json('log', '--limit', '1')).toMatchObject({ position: 7, stream: 'task:b', version: 3 });
  });

  it('follows until it is interrupted, and ends well', async () => {
    const world = await prepared();
    const seen: string[] = [];
    const following = world.devs(['log', '--follow', '--limit', '1'], { print: (text) => void seen.push(text) });
    while (seen.length < 1) await new Promise(setImmediate);
    await world.done('task', 'add', 'c');
    while (seen.length < 2) await new Promise(setImmediate);
    world.interrupt();

    expect((await following).exitCode).toBe(0);
    expect(seen.map((line) => line.slice(21, 27))).toEqual(['task:b', 'task:c']);
  });

  it('is quiet about a place where nothing happened, and makes nothing there', async () => {
    const { devs, disks } = createWorld();

    expect(await devs(['log'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'devs: there is nothing of that in the log.\n',
    });
    expect(disks.size).toBe(0);
  });

  it('rejects an invalid stream name', async () => {
    expect(await (await prepared()).devs(['log', '--stream', 'a b'])).toMatchObject({ exitCode: 2 });
  });
});

describe('devs debug', () => {
  it('prints the state, and exactly the prompt that an agent gets', async () => {
    const { done, json, disks, devs } = await prepared();
    const backend = createMemoryBackend(disks.get(FILE));
    const state = await foldSupervisorState(backend);
    const [task] = await backend.loadTasks(['a']);
    const prompt = buildPrompt(task as { id: string; intent: string }, buildMinimalState(state), { contextTokens: 50 });

    expect(await json('debug', 'state')).toEqual(state);
    expect(await done('debug', 'prompt', 'a', '--context-tokens', '50')).toBe(prompt);
    expect((await json('debug', 'prompt', 'a', '--context-tokens', '50')).prompt).toBe(prompt);
    expect(prompt).toContain('\u0007');
    expect((await devs(['debug', 'prompt', 'a'], { isTerminal: true })).stdout).toContain('bell ␇\n');
    expect(await devs(['debug', 'prompt', 'nobody'])).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('verifies, and says what is wrong', async () => {
    const { devs, disks } = await prepared();

    expect(await devs(['debug', 'verify'])).toMatchObject({
      exitCode: 0,
      stdout: 'All is well: 7 events in 2 streams, 2 tasks.\n',
    });
    disks.get(FILE)?.tasks.delete('b');
    const { exitCode, stdout } = await devs(['debug', 'verify']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('1 thing wrong in 7 events in 2 streams, 1 task:\n  task b: the log holds it');
    expect(JSON.parse((await devs(['debug', 'verify', '--json'])).stdout)).toMatchObject({ ok: false, events: 7 });
  });

  it('exports, and imports into an empty store only', async () => {
    const { devs, done, files, disks } = await prepared();

    expect(await done('debug', 'export', 'log.jsonl')).toBe('7 events written to log.jsonl.\n');
    expect(await done('debug', 'export')).toBe(files.get('log.jsonl'));
    expect(await done('debug', 'import', 'log.jsonl', '--store', 'sqlite:/new.db')).toBe('7 events stored.\n');
    expect(disks.get('/new.db')?.events).toEqual(disks.get(FILE)?.events);
    const again = await devs(['debug', 'import', 'log.jsonl']);
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('the store is not empty')]);
  });

  it('checks the whole export before it makes a store', async () => {
    const { devs, files, disks } = createWorld();
    files.set('cut.jsonl', '{"devs_log":1}\n');

    expect(await devs(['debug', 'import', 'cut.jsonl'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await devs(['debug', 'export'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await devs(['debug', 'export', '--json'])).toMatchObject({ exitCode: 2, stdout: '' });
    expect(disks.size).toBe(0);
  });

  it('writes the state for tools outside', async () => {
    const { done, saved } = await prepared();
    await done('debug', 'session-state');
    await done('debug', 'session-state', 'out.json');

    expect([...saved.keys()]).toEqual([`${ROOT}/.devs/session-state.json`, 'out.json']);
    expect(saved.get('out.json')).toMatchObject({ completed_tasks: [{ task_id: 'a', result: 'works' }] });
  });
});

describe('devs purge', () => {
  it.each([
    { answer: 'cannot-ask', argv: [], exitCode: 2, left: 1 },
    { answer: 'no', argv: [], exitCode: 1, left: 1 },
    { answer: 'yes', argv: [], exitCode: 0, left: 0 },
    { answer: 'cannot-ask', argv: ['--yes'], exitCode: 0, left: 0 },
  ] as const)('with $argv and the answer $answer leaves $left', async ({ answer, argv, exitCode, left }) => {
    const { devs, disks } = await prepared();

    const run = await devs(['purge', ...argv], { confirm: async () => answer });

    expect([run.exitCode, disks.size]).toEqual([exitCode, left]);
    expect(run.stderr).toContain(`This will be removed:\n  ${FILE}\nIt holds 2 tasks: 1 blocked, 1 done.\n`);
  });

  it('does nothing without records', async () => {
    expect(await createWorld().devs(['purge'])).toEqual({
      exitCode: 0,
      stdout: 'There is nothing to remove.\n',
      stderr: '',
    });
  });

  it('removes the work trees of runs that hold nothing of their own, and names those that stay', async () => {
    const { devs } = await prepared();
    const removed: string[] = [];
    const runs: Runs = {
      ...noRuns,
      worktrees: async () => [
        { runId: 'run-1', top: '/state/run-1' },
        { runId: 'run-2', top: '/state/run-2', holds: 'a.txt is not committed there' },
      ],
      async removeWorktree(runId) {
        removed.push(runId);
        return { outcome: 'removed', keptBranch: false };
      },
    };
    const { stdout, stderr } = await devs(['purge', '--yes', '--json'], { runs });
    expect(removed).toEqual(['run-1']);
    expect(stderr).toContain('These work trees of runs stay:\n  /state/run-2: a.txt is not committed there\n');
    expect(JSON.parse(stdout)).toEqual({
      removed: [FILE, '/state/run-1'],
      kept: [{ path: '/state/run-2', why: 'a.txt is not committed there' }],
    });
  });

  it('removes what the built-in agent keeps of conversations, with the store of the project only', async () => {
    const forgotten: string[] = [];
    const { devs } = await prepared();
    const read = () => Promise.reject(new Error('nothing to read'));
    const conversations: DebugServices['conversations'] = {
      open: read,
      look: read,
      keep: read,
      read,
      kept: async () => ['/state/agent/1', '/state/agent/2'],
      forget: async (folders) => void forgotten.push(...folders),
    };
    await devs(['task', 'add', 'x', '--store', 'redis://b:6379']);
    await devs(['purge', '--yes', '--store', 'redis://b:6379'], { conversations });
    await devs(['purge'], { conversations, confirm: async () => 'no' });
    expect(forgotten).toEqual([]);

    const { stdout, stderr } = await devs(['purge', '--yes', '--json'], { conversations });
    expect(forgotten).toEqual(['/state/agent/1', '/state/agent/2']);
    expect(stderr).toContain('  /state/agent/1\n  /state/agent/2\n');
    expect(JSON.parse(stdout)).toMatchObject({ removed: [FILE, '/state/agent/1', '/state/agent/2'] });
  });

  it('removes the store that was named, and no other', async () => {
    const { done, disks } = await prepared();
    const other = ['--store', 'redis://b:6379'];
    await done('task', 'add', 'x', ...other);

    expect(JSON.parse(await done('purge', '--yes', '--json', ...other))).toMatchObject({ removed: ['redis://b:6379'] });
    expect([...disks.keys()]).toEqual([FILE]);
  });
});

describe('devs alone', () => {
  it('shows all projects, or one store', async () => {
    const { done, json } = await prepared();
    await done('task', 'add', 'x', '--store', 'sqlite:/other/.devs/state.db');

    expect((await done()).split('\n').slice(0, 4)).toEqual([
      ROOT,
      '  blocked      b  b',
      '               ↳ no ␛[2J key',
      '  2 tasks: 1 blocked, 1 done',
    ]);
    expect((await json()).projects).toHaveLength(2);
    expect((await json('--store', 'sqlite:/other/.devs/state.db')).projects).toMatchObject([
      { name: '/other/.devs/state.db', survey: { counts: { pending: 1 } } },
    ]);
  });

  it('fails where a store that was named is missing', async () => {
    expect(await createWorld().devs(['--store', 'sqlite:/nowhere.db'])).toMatchObject({ exitCode: 1 });
  });
});

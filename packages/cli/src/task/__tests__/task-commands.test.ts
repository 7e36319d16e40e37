import { describe, expect, it } from 'vitest';
import { createWorld } from '../../__tests__/run-here.js';

const MINUTE = 60_000;

describe('devs task', () => {
  it('adds, starts and completes', async () => {
    const { done, json } = createWorld();

    expect(await done('task', 'add', 'Fix', 'the', 'login')).toBe('fix-login\n');
    expect(await done('task', 'add', 'Fix the login')).toBe('fix-login-2\n');
    expect(
      await json('task', 'add', 'Docs', '--id', 'docs', '--after', 'fix-login,fix-login-2', '--priority', '-3'),
    ).toMatchObject({
      id: 'docs',
      depends_on: ['fix-login', 'fix-login-2'],
      priority: -3,
    });
    expect(await done('task', 'start', '--next')).toBe(
      'fix-login  Fix the login\nYours until 00:30:00 (in 30 min), as claim 1.\nWhen it is done: devs task done fix-login\n',
    );
    expect(await done('task', 'done', 'fix-login', '--claim', '1', '--result', 'works')).toBe('fix-login is done.\n');
    expect(await json('task', 'start', 'fix-login-2', '--by', 'agent-1', '--lease', '2h')).toMatchObject({
      status: 'claimed',
      fence: 1,
      task: { lease: { by: 'agent-1' } },
    });
    expect((await json('task', 'show', 'docs')).dependencies).toEqual([
      { id: 'fix-login', status: 'done' },
      { id: 'fix-login-2', status: 'in_progress' },
    ]);
  });

  it('takes long texts from files and stdin', async () => {
    const { done, json, files } = createWorld();
    files.set('plan.md', 'from a file\n');
    files.set('-', 'from stdin\n');

    expect(await json('task', 'add', 'a', '--description-file', 'plan.md')).toMatchObject({
      description: 'from a file\n',
    });
    expect(await json('task', 'add', 'b', '--description-file', '-')).toMatchObject({ description: 'from stdin\n' });
    expect(await json('task', 'add', 'c', '--description', '-')).toMatchObject({ description: 'from stdin' });
    expect(await json('task', 'fail', 'a', '--reason', '-')).toMatchObject({ task: { reason: 'from stdin' } });
    await done('task', 'done', 'b', '--result', '-');
    expect((await json('task', 'show', 'b')).task.result).toBe('from stdin');
  });

  it('goes every way that a task can go', async () => {
    const { done, json } = createWorld();
    await done('task', 'add', 'Deploy');

    expect(await done('task', 'block', 'deploy', '--reason', 'no key')).toMatch(/^deploy is blocked\./);
    expect(await done('task', 'unblock', 'deploy')).toBe('deploy is pending again.\n');
    await done('task', 'start', 'deploy');
    expect(await done('task', 'release', 'deploy')).toBe('deploy is pending again.\n');
    expect(await done('task', 'fail', 'deploy', '--reason', 'no luck')).toMatch(/^deploy has failed\./);
    expect(await done('task', 'retry', 'deploy')).toBe('deploy is pending again.\n');
    expect(await done('task', 'remove', 'deploy')).toBe('deploy is removed.\n');
    expect((await json('task', 'list', '--all')).total).toBe(0);
  });

  it('lists by status and search, and says what it hides', async () => {
    const { done, json } = createWorld();
    for (const id of ['a', 'b', 'c', 'd']) await done('task', 'add', `Do ${id}`, '--id', id);
    await done('task', 'done', 'a');
    await done('task', 'block', 'b', '--reason', 'why');

    expect(await json('task', 'list', '--per-page', '2', '--page', '2')).toMatchObject({
      tasks: [{ id: 'd' }],
      total: 3,
      page: 2,
      per_page: 2,
      pages: 2,
      hidden: { done: 1 },
    });
    expect((await json('task', 'list', '--status', 'done', '--status', 'blocked')).total).toBe(2);
    expect((await json('task', 'list', '--status', 'in-progress')).total).toBe(0);
    expect((await json('task', 'list', '--all', '--search', 'DO A')).tasks).toMatchObject([{ id: 'a' }]);
  });

  it('only looks where there is nothing yet', async () => {
    const { devs, done, disks } = createWorld();

    expect(await done('task', 'list')).toBe('No tasks yet. Add one: devs task add "What to do"\n');
    expect(await devs(['task', 'show', 'a'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await devs(['task', 'done', 'a'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await devs(['task', 'start', '--next'])).toMatchObject({ exitCode: 1, stdout: '' });
    expect(disks.size).toBe(0);
  });

  it('keeps stores apart', async () => {
    const { devs, json, disks } = createWorld();
    await devs(['--store', 'sqlite:/a.db', 'task', 'add', 'one']);
    await devs(['task', 'add', 'two', '--store', 'redis://b']);
    await devs(['task', 'add', 'three'], { storeSetting: 'sqlite:/c.db' });

    expect([...disks.keys()]).toEqual(['/a.db', 'redis://b', '/c.db']);
    expect((await json('task', 'list', '--store', 'sqlite:/a.db')).tasks).toMatchObject([{ id: 'one' }]);
  });
});

describe('a refusal', () => {
  const prepared = async () => {
    const world = createWorld();
    await world.done('task', 'add', 'a');
    await world.done('task', 'add', 'b', '--after', 'a');
    return world;
  };

  it.each([
    { argv: ['task', 'add', 'x', '--id', 'a'], exitCode: 1, says: 'there is a task a already. Choose another --id' },
    { argv: ['task', 'show', 'nobody'], exitCode: 1, says: 'there is no task nobody. See what there is' },
    { argv: ['task', 'done', 'nobody'], exitCode: 1, says: 'there is no task nobody. See what there is' },
    { argv: ['task', 'done', 'a', '--claim', '7'], exitCode: 1, says: 'See `devs task show a`' },
    { argv: ['task', 'start', 'b'], exitCode: 1, says: 'b waits for a. See `devs task show b`' },
    { argv: ['task', 'unblock', 'a'], exitCode: 1, says: '`devs task start a`' },
    { argv: ['task', 'remove', 'a'], exitCode: 1, says: 'b depends on a; remove that first' },
    { argv: ['task', 'add', 'x', '--id', '../x'], exitCode: 2, says: 'task id: letters, digits' },
    { argv: ['task', 'add', 'two\nlines'], exitCode: 2, says: 'intent: one line' },
    { argv: ['task', 'add', 'x', '--after', 'nobody'], exitCode: 2, says: 'there is no nobody' },
    { argv: ['task', 'add'], exitCode: 2, says: "missing required argument 'intent'" },
    { argv: ['task', 'add', 'x', '--priority', 'high'], exitCode: 2, says: 'Give a whole number from -1000 to 1000' },
    {
      argv: ['task', 'add', 'x', '--description', 'a', '--description-file', 'b'],
      exitCode: 2,
      says: 'Give one of them',
    },
    { argv: ['task', 'start'], exitCode: 2, says: 'name a task, or give --next' },
    { argv: ['task', 'start', 'a', '--next'], exitCode: 2, says: 'name a task, or give --next' },
    { argv: ['task', 'start', 'a', '--lease', '30'], exitCode: 2, says: 'Give a time such as 45s, 30m' },
    { argv: ['task', 'fail', 'a'], exitCode: 2, says: "required option '--reason <text>' not specified" },
    { argv: ['task', 'list', '--status', 'open,lost'], exitCode: 2, says: 'There are in_progress, blocked, pending' },
    { argv: ['task', 'list', '--all', '--status', 'done'], exitCode: 2, says: 'exclude each other' },
    { argv: ['task', 'list', '--page', '0'], exitCode: 2, says: 'Give a whole number from 1 on' },
    { argv: ['task', 'list', '--store', 'state.db'], exitCode: 2, says: 'Give sqlite:FILE, redis://HOST:PORT' },
    { argv: ['task', 'lsit'], exitCode: 2, says: 'Did you mean `devs task list`?' },
  ])('of $argv is $exitCode and says what to do', async ({ argv, exitCode, says }) => {
    const run = await (await prepared()).devs(argv);

    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode, stdout: '' });
    expect(run.stderr).toMatch(/^devs: /);
    expect(run.stderr).toContain(says);
  });

  it('is JSON too where that is asked for', async () => {
    const { stdout, exitCode } = await (await prepared()).devs(['task', 'start', 'b', '--json']);

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'refused', reason: 'waiting' });
  });

  it('says why nothing can be started', async () => {
    const { done, devs } = await prepared();
    await done('task', 'block', 'a', '--reason', 'no key');

    const { exitCode, stdout, stderr } = await devs(['task', 'start', '--next', '--json']);

    expect([exitCode, JSON.parse(stdout)]).toEqual([1, { status: 'nothing-to-do' }]);
    expect(stderr).toContain('there is nothing to start now: 1 task waiting for others, 1 blocked.');
  });

  it('[S2] comes to a late caller: the task belongs to another', async () => {
    const { done, devs, clock } = await prepared();
    await done('task', 'start', 'a', '--by', 'dead', '--lease', '1m');
    clock.advance(MINUTE);
    await done('task', 'start', 'a', '--by', 'next');

    expect(await devs(['task', 'done', 'a', '--claim', '1'])).toMatchObject({ exitCode: 1 });
    expect(await devs(['task', 'done', 'a', '--claim', '2'])).toMatchObject({ exitCode: 0 });
  });
});

describe('devs task import', () => {
  it('adds all, or none and says on which lines it hurts', async () => {
    const { devs, done, json, files } = createWorld();
    files.set('good.md', '- [ ] One\n- [x] Two\n- [ ] Three\n');
    files.set('bad.jsonl', '{"intent": "fine"}\n{"intent": "x", "id": "a b"}\n{"intent": "x", "id": "\\u001b[2J"}\n');

    expect(await done('task', 'import', 'good.md')).toBe('2 tasks added; left out: 1 checked off.\n');
    const { exitCode, stdout, stderr } = await devs(['task', 'import', 'bad.jsonl']);

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^devs: nothing was added\. Correct the file:\n {2}line 2: task id: .*\n {2}line 3: task id: /,
    );
    expect(stderr).not.toContain('\u001b');
    expect((await json('task', 'list')).total).toBe(2);
  });

  it('stops between two batches on Ctrl-C, and says how far it came', async () => {
    const { devs, files, disks } = createWorld();
    const lines = Array.from({ length: 1_001 }, (_, index) => `{"id": "t${index}", "intent": "do ${index}"}`);
    files.set('plan.jsonl', lines.join('\n'));
    const signal = {
      get aborted() {
        return [...disks.values()][0]?.events.length === 1_000; // while the first batch is stored
      },
    } as AbortSignal;

    const { exitCode, stderr } = await devs(['task', 'import', 'plan.jsonl'], {
      untilInterrupted: (job) => job(signal),
    });

    expect(exitCode).toBe(130);
    expect(stderr).toContain(
      '1,000 of 1,001 tasks were stored, then it was interrupted. Import the file again with --skip-',
    );
  });

  it('continues with the missing tasks', async () => {
    const { devs, done, files } = createWorld();
    files.set('plan.md', '- [ ] One\n- [ ] Two');
    await done('task', 'add', 'Two');
    files.set('ids.jsonl', '{"intent": "Two", "id": "two"}');

    expect((await devs(['task', 'import', 'ids.jsonl'])).stderr).toContain('line 1: there is a task two already');
    expect(await done('task', 'import', 'plan.md', '--skip-existing')).toBe(
      '1 task added; left out: 1 there already.\n',
    );
    expect(await done('task', 'import', 'plan.md', '--skip-existing')).toBe(
      '0 tasks added; left out: 2 there already.\n',
    );
  });

  it('says so when there is no task in the file', async () => {
    const { devs, files } = createWorld();
    files.set('notes.md', '# Notes\n');

    expect((await devs(['task', 'import', 'notes.md'])).stderr).toContain('"notes.md" holds no task. It may hold');
  });
});

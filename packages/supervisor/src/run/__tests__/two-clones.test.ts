import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskRecord } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { runQueue } from '../queue/run-queue.js';
import type { RunParts, StartRunOutcome } from '../run.js';
import { startRun } from '../start-run.js';
import { newRun, openRunWorld } from './run-world.js';

/** Two clones of one project with one store, each with its user. */
async function openClones(place: 'own' | 'here' = 'own') {
  const world = await openRunWorld({ git: true, settings: { worktree: place } });
  const second = join(world.world.folder, 'second');
  world.git('clone', '--quiet', world.world.project, second);
  const gitIn2 = (...args: readonly string[]) => world.git('-C', second, ...args);
  gitIn2('config', 'user.name', 'B');
  gitIn2('config', 'user.email', 'b@b');
  const in1: Partial<RunParts> = { clone: 'clone-1', by: 'ann' };
  const in2: Partial<RunParts> = { clone: 'clone-2', by: 'bob', place: { ...world.parts.place, folder: second } };
  const pauseIn1 = async () => {
    const plan = { place };
    const run = await world.start(
      [
        { id: 'one', instructions: '@write one.txt @commit' },
        { id: 'two', instructions: '@wait 1500 @write two.txt @commit' },
      ],
      in1,
      plan,
    );
    await world.world.until('the second step', () => world.steps().includes('2'));
    await run.stop({ now: false });
    return run.id;
  };
  const resumeIn2 = (runId: string): Promise<StartRunOutcome> => startRun({ ...world.parts, ...in2, runId });
  return { world, second, gitIn2, in1, in2, pauseIn1, resumeIn2 };
}

describe('a run, with two clones of its repository and one store', () => {
  it('[F1] is refused in a clone without its commits, with what to fetch, and continues there after that', async () => {
    const { world, in2, gitIn2, pauseIn1, resumeIn2 } = await openClones();
    const id = await pauseIn1();
    const head = world.git('rev-parse', `devs/${id}`);

    const refused = await resumeIn2(id);
    expect(refused).toMatchObject({ status: 'refused', runId: id, isElsewhere: true });
    expect(refused).toMatchObject({
      reason: `${id} continued in another clone: commit ${head.slice(0, 10)} of devs/${id} is not in this clone`,
      advice: expect.stringContaining(`git fetch REMOTE devs/${id}.`),
    });
    expect(gitIn2('branch', '--list', 'devs/*')).toBe('');

    gitIn2('fetch', '--quiet', 'origin', `devs/${id}`);
    const again = await world.resume(id, in2);
    expect(await world.ended(again)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(readFileSync(join(again.status().worktree, 'one.txt'), 'utf8')).toBe('visit 1\n');
    expect(gitIn2('log', '--format=%s', `main..devs/${id}`).split('\n')).toHaveLength(2);
  });

  it('[F1] is refused in the clone that it left, until what was done in the other one is there too', async () => {
    const { world, in1, in2, gitIn2, pauseIn1 } = await openClones();
    const id = await pauseIn1();
    gitIn2('fetch', '--quiet', 'origin', `devs/${id}`);
    const second = await world.resume(id, in2);
    await second.stop({ now: false });
    const worktree = second.status().worktree;
    world.git('-C', worktree, 'commit', '--quiet', '--allow-empty', '-m', 'By hand');
    const third = await world.resume(id, in2);
    await third.stop({ now: false }); // records the commit

    const refused = await startRun({ ...world.parts, ...in1, runId: id });
    expect(refused).toMatchObject({ status: 'refused', isElsewhere: true });
    const top = join(world.world.project, '.devs/worktrees', id);
    expect(refused).toMatchObject({
      advice: expect.stringContaining(`git -C ${top} pull --ff-only REMOTE devs/${id}`),
    });
  });

  it('[F1] in the folder itself is refused where its commits are not checked out', async () => {
    const { world, in2, gitIn2, pauseIn1, resumeIn2 } = await openClones('here');
    const id = await pauseIn1();
    expect(await resumeIn2(id)).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('is not in this clone'),
    });
    gitIn2('pull', '--quiet', '--ff-only', 'origin', 'main');
    const again = await world.resume(id, in2);
    expect(await world.ended(again)).toMatchObject({ status: 'finished', outcome: 'done' });
  });

  it('[F1] of a task that depends on another is not begun without that work, and the task stays free', async () => {
    const { world, second, gitIn2, in1, in2 } = await openClones();
    const work = (clone: Partial<RunParts>, folder: string) =>
      runQueue({
        ...world.parts,
        ...clone,
        parallel: 1,
        planFor: async ({ intent, description = '' }: TaskRecord) =>
          newRun(world.template([{ id: 'do', instructions: description }]), folder, true, { request: intent }) as never,
      });
    const { tasks } = world.world.store;
    await tasks.add([{ id: 'A', intent: 'First', description: '@write a.txt @commit' }]);
    expect(await work(in1, world.world.project)).toMatchObject({ done: ['A'] });
    await tasks.add([{ id: 'B', intent: 'Second', description: '@write b.txt @commit', depends_on: ['A'] }]);

    const refused = await work(in2, second);
    expect(refused).toMatchObject({ done: [], blocked: [], left: [{ taskId: 'B' }] });
    expect(refused.left[0]?.why).toMatch(
      /builds on work that is missing: commit \w{10} of devs\/run-\w+ is not in this/,
    );
    expect((await tasks.get('B'))?.status).toBe('pending');

    gitIn2('fetch', '--quiet', 'origin', '+refs/heads/devs/*:refs/remotes/origin/devs/*');
    expect(await work(in2, second)).toMatchObject({ done: ['B'], left: [] });
    const branch = gitIn2('for-each-ref', '--format=%(refname:short)', 'refs/heads/devs/');
    expect(gitIn2('ls-tree', '--name-only', branch).split('\n')).toEqual(
      expect.arrayContaining(['README.md', 'a.txt', 'b.txt']),
    );
    expect(existsSync(join(second, 'a.txt'))).toBe(false);
  });
});

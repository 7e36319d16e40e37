import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStream, type TaskRecord } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { runQueue } from '../queue/run-queue.js';
import type { RunParts } from '../run.js';
import { startRun } from '../start-run.js';
import { newRun, openRunWorld } from './run-world.js';

/** Two clones of one project, with one store and one bare remote, as two machines have them. */
async function openMachines() {
  const world = await openRunWorld({ git: true });
  const { project, folder } = world.world;
  const remote = join(folder, 'remote.git');
  world.git('clone', '--quiet', '--bare', project, remote);
  world.git('remote', 'add', 'origin', remote);
  world.git('fetch', '--quiet', 'origin');
  const second = join(folder, 'second');
  world.git('clone', '--quiet', remote, second);
  const gitIn2 = (...args: readonly string[]) => world.git('-C', second, ...args);
  gitIn2('config', 'user.name', 'B');
  gitIn2('config', 'user.email', 'b@b');
  const travel = (machine: string) => ({ remote: 'origin', where: remote, machine });
  const ant: Partial<RunParts> = { clone: 'clone-1', by: 'ann', travel: travel('ant') };
  const bee: Partial<RunParts> = {
    clone: 'clone-2',
    by: 'bob',
    travel: travel('bee'),
    place: { ...world.parts.place, folder: second },
  };
  const refs = () =>
    execFileSync('git', ['-C', remote, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/devs'], {
      encoding: 'utf8',
    }).trim();
  const events = async (id: string) => world.world.store.log.read({ stream: runStream(id), limit: 10_000 });
  const pushes = async (id: string) => (await events(id)).filter(({ type }) => type === 'work.pushed');
  return { world, remote, second, gitIn2, ant, bee, refs, events, pushes };
}

const STEPS = [
  { id: 'one', instructions: '@write one.txt @commit' },
  { id: 'two', instructions: '@write two.txt @commit' },
  { id: 'three', instructions: '@wait 60000 @write three.txt @commit' },
];

describe('a run, with two machines and one remote', () => {
  it('[F1] continues on the other machine at the pushed work, with what was not committed, and from a handoff', async () => {
    const { world, ant, bee, gitIn2, pushes } = await openMachines();
    const run = await world.start(
      [
        { id: 'one', instructions: '@write one.txt @commit' },
        { id: 'two', instructions: '@wait-once 60000 @write two.txt @commit' },
      ],
      ant,
    );
    await world.world.until('the second step', () => world.steps().includes('2'));
    writeFileSync(join(run.status().worktree, 'half.txt'), 'half\n');
    await run.stop({ now: false });
    expect((await pushes(run.id)).at(-1)?.data).toMatchObject({ work: expect.any(String) });

    const again = await world.resume(run.id, bee);
    expect(await world.ended(again)).toMatchObject({ status: 'finished', outcome: 'done' });
    expect(readFileSync(join(again.status().worktree, 'one.txt'), 'utf8')).toBe('visit 1\n');
    expect(existsSync(join(again.status().worktree, 'half.txt'))).toBe(true);
    expect(gitIn2('log', '--format=%s', `origin/main..devs/${run.id}`).split('\n').length).toBeGreaterThanOrEqual(2);
    expect(world.world.prompts().some((text) => /handoff/i.test(text))).toBe(true);
  });

  it('[F1] goes back to the step that was pushed last where the machine is lost, and says so', async () => {
    const { world, remote, ant, bee, events, pushes } = await openMachines();
    const run = await world.start(STEPS, ant);
    await world.world.until('the first push', async () => (await pushes(run.id)).length > 0);
    await world.world.until('the last step', () => world.steps().includes('3'));
    await world.world.until('a push of the second step', async () => {
      const [all, said] = [await events(run.id), await pushes(run.id)];
      const ends = all.filter(({ type }) => type === 'step.completed');
      return ends.length >= 2 && Number(said.at(-1)?.data['upTo']) >= (ends[1]?.version ?? 0);
    });
    // From here on nothing reaches the remote.
    renameSync(remote, `${remote}.gone`);
    await run.stop({ now: true });
    renameSync(`${remote}.gone`, remote);
    const stream = runStream(run.id);
    // The lost machine had ended the third step, and no other machine has its commit.
    const version = await world.world.store.log.version(stream);
    await world.world.store.log.append(stream, version, [
      { type: 'step.completed', data: { visit: 3, at: 'three', output: 'done, they say' } },
    ]);

    world.behave('');
    const again = await world.resume(run.id, { ...bee });
    const rewound = (await events(run.id)).find(({ type }) => type === 'run.rewound');
    expect(rewound?.data).toMatchObject({ machine: 'bee', lost: 'ant', at: 'step 3' });
    expect(again.status().position).toMatchObject({ step: 'three' });
    expect(existsSync(join(again.status().worktree, 'two.txt'))).toBe(true);
    expect(existsSync(join(again.status().worktree, 'three.txt'))).toBe(false);
    await again.stop({ now: true });
  });

  it('[F1] is not continued where its work cannot be fetched, with the reason', async () => {
    const { world, remote, ant, bee, pushes } = await openMachines();
    const run = await world.start(STEPS, ant);
    await world.world.until('the third step', () => world.steps().includes('3'));
    await world.world.until('a push', async () => (await pushes(run.id)).length > 0);
    await run.stop({ now: true });
    renameSync(remote, `${remote}.gone`);
    const refused = await startRun({ ...world.parts, ...bee, runId: run.id });
    expect(refused).toMatchObject({
      status: 'refused',
      isElsewhere: true,
      reason: expect.stringContaining('cannot be fetched from origin'),
    });
    renameSync(`${remote}.gone`, remote);
  });

  it('does not push a file with a secret, and asks about it at the end', async () => {
    const { world, ant, refs } = await openMachines();
    const run = await world.start([{ id: 'one', instructions: '@write deploy.pem @commit' }], {
      ...ant,
      onEscalation: 'pause',
    });
    expect(await world.ended(run)).toMatchObject({
      status: 'paused',
      escalation: { question: 'The work of the run could not be pushed. What should happen?' },
    });
    expect(run.status().end).toMatchObject({
      escalation: { diagnosis: expect.stringContaining('deploy.pem looks like it holds a secret') },
    });
    const head = world.git('rev-parse', `devs/${run.id}`);
    expect(refs()).not.toContain(head);
  });

  it('[F1] of a task begins at the work that it depends on, wherever that was done, and at no checkout', async () => {
    const { world, second, gitIn2, ant, bee, refs } = await openMachines();
    const base = world.git('rev-parse', 'HEAD');
    world.git('push', '--quiet', 'origin', `${base}:refs/devs/bases/${base}`);
    const work = (machine: Partial<RunParts>, folder: string) =>
      runQueue({
        ...world.parts,
        ...machine,
        parallel: 1,
        planFor: async ({ intent, description = '' }: TaskRecord) =>
          newRun(world.template([{ id: 'do', instructions: description }]), folder, true, { request: intent }) as never,
      });
    const { tasks } = world.world.store;
    await tasks.add([{ id: 'A', intent: 'First', description: '@write a.txt @commit', base }]);
    // The checkout of a machine means nothing.
    world.git('commit', '--quiet', '--allow-empty', '-m', 'Only on ant');
    expect(await work(ant, world.world.project)).toMatchObject({ done: ['A'] });
    await tasks.add([{ id: 'B', intent: 'Second', description: '@write b.txt @commit', depends_on: ['A'], base }]);
    expect(await work(bee, second)).toMatchObject({ done: ['B'], left: [] });
    const branch = gitIn2('for-each-ref', '--format=%(refname:short)', 'refs/heads/devs/');
    expect(gitIn2('ls-tree', '--name-only', branch).split('\n')).toEqual(
      expect.arrayContaining(['README.md', 'a.txt', 'b.txt']),
    );
    expect(gitIn2('log', '--format=%s', branch)).not.toContain('Only on ant');
    expect(
      refs()
        .split('\n')
        .filter((line) => line.startsWith('refs/devs/runs/')),
    ).toHaveLength(2);
  });
});

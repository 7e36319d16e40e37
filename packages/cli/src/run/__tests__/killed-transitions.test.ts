import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { commitsOf, orphansOf } from './left-by-run.js';
import { killProcess, openRunProject, type RunProcess, type RunProject, type StartedDevs } from './run-project.js';
import { openSmallProject } from './small-work.js';

const LOOK_MS = 10;
/** Longer than it takes on a busy machine. What takes longer hangs. */
const LONG_MS = 600_000;

/** What is stored of a run whose agent is renewed once, in this order. */
const OF_RUN = [
  'workflow.started',
  'run.prepared',
  'worktree.made',
  'terminal.opened',
  'restart.started',
  'agent.spawned',
  'run.begun',
  'conversation.observed',
  'step.completed',
  'commits.observed',
  'terminal.stopped',
  'task.completed',
  'run.finished',
] as const;
const OF_RENEWAL = [
  'turn-end.wanted',
  'renewal.started',
  'document.verified',
  'checkpoint.saved',
  'agent.exited',
  'agent.cleared',
  'agent.ended',
  'takeover.confirmed',
] as const;

const isSoak = rounds(1) > 1;
/** All of them in `.ci/soak`; in a usual run the seed chooses one. */
const usual = <T>(all: readonly T[], salt: number): readonly T[] =>
  isSoak ? all : [all[createRandom(seed() + salt).below(all.length)] as T];

const kill = (project: RunProject, victims: readonly RunProcess['kind'][]): number => {
  const found = project.processes().filter(({ kind }) => victims.includes(kind));
  return found.filter(({ pid }) => killProcess(pid)).length;
};

/** Kills once for each of these types, as soon as one is stored. Gives those at which something was killed. */
async function killAt(
  project: RunProject,
  devs: StartedDevs,
  { types, victims }: { readonly types: readonly string[]; readonly victims: readonly RunProcess['kind'][] },
): Promise<readonly string[]> {
  const left = new Set(types);
  const killed: string[] = [];
  let [isOver, after] = [false, 0];
  void devs.ended.then(() => {
    isOver = true;
  });
  for (; !isOver && left.size > 0; await pause(LOOK_MS)) {
    const stored = await project.events(after);
    after = stored.at(-1)?.position ?? after;
    // Where several came at once, it is killed behind the last of them.
    const at = stored.findLast(({ type }) => left.has(type));
    if (at !== undefined && kill(project, victims) > 0) killed.push(at.type);
    if (at !== undefined) left.delete(at.type);
  }
  return killed;
}

async function expectDone(project: RunProject, devs: StartedDevs, steps: number): Promise<void> {
  const { exitCode, stdout, stderr } = await devs.ended;
  expect(exitCode, `${stdout}${stderr}`).toBe(0);
  const report = await project.report();
  expect(report.outcome.kind).toBe('done');
  const done = report.steps.map(({ at }) => at);
  expect(done).toEqual([...new Set(done)]);
  expect(done).toHaveLength(steps);
  expect(orphansOf(project)).toEqual([]);
}

const REQUEST = 'Add formatDuration, as docs/prd.md asks for';

describe.skipIf(process.platform !== 'linux')('a run whose supervisor process is killed', () => {
  it(
    '[H16] at one transition after another, also of a renewal, ends by itself with each step and commit once',
    async () => {
      const project = openRunProject();
      const devs = project.start('run', 'feature', REQUEST);
      const all = [...OF_RUN, ...OF_RENEWAL];
      const types = isSoak ? all : all.filter((_, index) => index % 3 === seed() % 3);

      const killed = await killAt(project, devs, { types, victims: ['supervisor'] });

      await expectDone(project, devs, 13);
      expect(killed.length).toBeGreaterThan(types.length / 2);
      const { commits, repeated } = commitsOf(project, await project.report());
      expect([commits.length, repeated]).toEqual([3, []]);
    },
    LONG_MS,
  );

  it.each(usual(OF_RUN, 1).flatMap((type) => [[type, ['host']] as const, [type, ['supervisor', 'host']] as const]))(
    '[H16] at %s, with %j, ends by itself with each step once',
    async (type, victims) => {
      const project = openSmallProject({ delay: '100ms' });
      await project.run('config', '--trust');
      const devs = project.start('run', 'Write the file');

      await killAt(project, devs, { types: [type], victims });

      await expectDone(project, devs, 2);
    },
    LONG_MS,
  );

  it.each(usual(OF_RENEWAL, 2))(
    '[H16] at %s of a renewal, with its host, ends by itself with each step once',
    async (type) => {
      const project = openRunProject();
      const devs = project.start('run', 'feature', REQUEST);

      await killAt(project, devs, { types: [type], victims: ['supervisor', 'host'] });

      await expectDone(project, devs, 13);
      expect(commitsOf(project, await project.report()).unnamed).toEqual([]);
    },
    LONG_MS,
  );
});

import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openRunProject, type RunProcess, type RunProject, type StartedDevs } from './run-project.js';

/** `.ci/run` takes five, `.ci/soak` fifty. */
const RUNS = rounds(Number(process.env.DEVS_KILLED_RUNS ?? 1));
const VICTIMS = ['supervisor', 'host', 'agent', 'mcp'] as const;
/** About as many lines as a run prints until it is over. */
const LINES = 24;
const REQUEST = 'Add formatDuration, as docs/prd.md asks for';

describe.skipIf(process.platform !== 'linux')('a run in which something is killed', () => {
  it.each(Array.from({ length: RUNS }, (_, round) => round))(
    'ends with the work done once, round %i',
    async (round) => {
      const random = createRandom(seed() + round);
      const project = openRunProject();
      const killed: string[] = [];
      let devs = project.start('run', 'feature', REQUEST);

      for (let kills = 1 + random.below(3); kills > 0; kills--) {
        await untilPrinted(devs, 1 + random.below(LINES));
        await pause(random.below(800));
        const victim = pickVictim(project, VICTIMS[(round + kills) % VICTIMS.length] ?? 'agent');
        if (victim === undefined) continue;
        process.kill(victim.pid, 'SIGKILL');
        killed.push(victim.kind);
        if (victim.kind !== 'supervisor') continue;
        await devs.ended;
        devs = project.start('resume', (await project.report()).id);
      }
      const { exitCode, stdout, stderr } = await devs.ended;

      expect(exitCode, `killed ${killed.join(', ')}:\n${stdout}${stderr}`).toBe(0);
      const report = await project.report();
      expect(report.outcome.kind).toBe('done');
      const steps = report.steps.map(({ at }) => at);
      expect(steps).toEqual([...new Set(steps)]);
      expect(steps).toHaveLength(13);
      expect(report.checks.at(-1)).toMatchObject({ exitCode: 0 });
      const subjects = project
        .git('log', '--format=%s', `main..${report.worktree?.branch ?? ''}`)
        .trim()
        .split('\n');
      expect(subjects).toHaveLength(3);
      expect(new Set(subjects).size).toBe(3);
      expect(project.processes().filter(({ kind }) => kind !== 'host')).toEqual([]);
    },
    300_000,
  );
});

/** Until there are so many lines, or nothing more comes. */
async function untilPrinted(devs: StartedDevs, lines: number): Promise<void> {
  let isOver = false;
  void devs.ended.then(() => {
    isOver = true;
  });
  while (!isOver && devs.lines.length < lines) await pause(20);
}

/** The one that is wanted, once it runs; none where the run is over. */
function pickVictim(project: RunProject, wanted: RunProcess['kind']): RunProcess | undefined {
  const running = project.processes();
  return running.find(({ kind }) => kind === wanted) ?? running.find(({ kind }) => kind === 'agent');
}

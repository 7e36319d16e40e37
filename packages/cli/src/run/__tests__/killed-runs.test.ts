import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { commitsOf, orphansOf } from './left-by-run.js';
import { killProcess, openRunProject, type RunProcess, type RunProject, type StartedDevs } from './run-project.js';

/** `.ci/run` takes three, `.ci/soak` fifty. */
const RUNS = rounds(Number(process.env.DEVS_KILLED_RUNS ?? 1));
/** Each is killed with those behind it, in the same moment. */
const VICTIMS: readonly (readonly RunProcess['kind'][])[] = [
  ['supervisor'],
  ['host'],
  ['supervisor', 'host'],
  ['agent'],
  ['mcp'],
];
/** About as many lines as a run prints until it is over. */
const LINES = 24;
/** Longer than a run takes on a busy machine. What takes longer hangs. */
const HUNG_MS = 280_000;
const counts = { runs: 0, kills: 0, done: 0, hung: 0, orphans: 0, repeatedCommits: 0, unnamedRepeats: 0, slowestMs: 0 };
const REQUEST = 'Add formatDuration, as docs/prd.md asks for';

describe.skipIf(process.platform !== 'linux')('a run in which something is killed', () => {
  it.for(Array.from({ length: RUNS }, (_, round) => round))(
    'ends with the work done once, round %i',
    async (round, { annotate }) => {
      const killed: string[] = [];
      try {
        await killInRun(round, killed);
      } finally {
        await annotate(`round ${round}: killed ${killed.join(', ')}; so far ${JSON.stringify(counts)}`);
      }
    },
  );
});

/** Kills at random moments, and adds to `killed` what. */
async function killInRun(round: number, killed: string[]): Promise<void> {
  const random = createRandom(seed() + round);
  const project = openRunProject();
  const devs = project.start('run', 'feature', REQUEST);
  const begunAt = Date.now();

  for (let kills = 1 + random.below(3); kills > 0; kills--) {
    await untilPrinted(devs, 1 + random.below(LINES));
    await pause(random.below(800));
    for (const wanted of VICTIMS[(round + kills) % VICTIMS.length] ?? []) {
      const victim = pickVictim(project, wanted);
      if (victim === undefined || !killProcess(victim.pid)) continue;
      killed.push(victim.kind);
    }
  }
  counts.runs += 1;
  counts.kills += killed.length;
  const ended = await Promise.race([devs.ended, pause(HUNG_MS, undefined, { ref: false })]);
  if (ended === undefined) counts.hung += 1;
  if (ended === undefined) throw new Error(`hung after ${killed.join(', ')}:\n${devs.lines.slice(-15).join('\n')}`);
  const { exitCode, stdout, stderr } = ended;

  counts.slowestMs = Math.max(counts.slowestMs, Date.now() - begunAt);
  expect(exitCode, `killed ${killed.join(', ')}:\n${stdout}${stderr}`).toBe(0);
  const report = await project.report();
  expect(report.outcome.kind).toBe('done');
  counts.done += 1;
  const steps = report.steps.map(({ at }) => at);
  expect(steps).toEqual([...new Set(steps)]);
  expect(steps).toHaveLength(13);
  expect(report.checks.at(-1)).toMatchObject({ exitCode: 0 });
  const orphans = orphansOf(project);
  counts.orphans += orphans.length;
  expect(orphans).toEqual([]);
  const { commits, repeated, unnamed } = commitsOf(project, report);
  counts.repeatedCommits += repeated.length;
  counts.unnamedRepeats += unnamed.length;
  expect(commits.length - repeated.length).toBe(3);
  // Only where the agent died between its commit and the advance, and the next one was told of the commit.
  expect(unnamed, `killed ${killed.join(', ')}; commits:\n${commits.join('\n')}`).toEqual([]);
  if (repeated.length > 0) expect(killed.some((kind) => kind === 'agent' || kind === 'host')).toBe(true);
}

/** Until there are so many lines, or nothing more comes. */
async function untilPrinted(devs: StartedDevs, lines: number): Promise<void> {
  let isOver = false;
  void devs.ended.then(() => {
    isOver = true;
  });
  while (!isOver && devs.lines.length < lines) await pause(20);
}

/** The wanted process, once it runs; none if the run is over. */
function pickVictim(project: RunProject, wanted: RunProcess['kind']): RunProcess | undefined {
  const running = project.processes();
  return running.find(({ kind }) => kind === wanted) ?? running.find(({ kind }) => kind === 'agent');
}

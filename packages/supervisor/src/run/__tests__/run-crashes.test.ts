import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { programPath } from '../../__tests__/program-path.js';
import { openRunWorld, type RunWorld } from './run-world.js';

const PROGRAM = programPath('run-and-die', new URL('./programs/run-and-die.mjs', import.meta.url));

const STEPS = [
  { id: 'one', instructions: '@write one.txt @commit' },
  { id: 'two', instructions: '@write two.txt @commit', context: 'compact' },
  { id: 'three', instructions: '@write three.txt', context: 'clear' },
] as const;

/** Moments from one kill to the next. */
const STEP = rounds(1) > 1 ? 2 : 7;

interface Ending {
  readonly killed: boolean;
  readonly end?: { readonly status: string; readonly outcome?: string };
  readonly moments: number;
}

const run = (here: RunWorld, options: Readonly<Record<string, unknown>>): Promise<Ending> =>
  new Promise((resolve, reject) => {
    const { folder } = here.world;
    const request = { folder, template: here.template(STEPS), ...options };
    execFile(process.execPath, [PROGRAM, JSON.stringify(request)], (error, stdout, stderr) => {
      if (error === null) resolve({ killed: false, ...(JSON.parse(stdout) as Omit<Ending, 'killed'>) });
      else if (error.signal === 'SIGKILL') resolve({ killed: true, moments: 0 });
      else void lastEvents(here).then((events) => reject(new Error(`${stderr}${stdout}${String(error)}\n${events}`)));
    });
  });

const lastEvents = async ({ world }: RunWorld): Promise<string> =>
  (await world.store.log.read({ limit: 100_000 }))
    .slice(-25)
    .map(({ type, stream, data }) => `${stream} ${type} ${JSON.stringify(data).slice(0, 160)}`)
    .join('\n');

async function expectDoneOnce(here: RunWorld, how: string): Promise<void> {
  const events = await here.world.store.log.read({ limit: 100_000 });
  const of = (type: string) => events.filter((event) => event.type === type);
  expect(of('run.prepared'), how).toHaveLength(1);
  expect(
    of('run.finished').map(({ data }) => data.outcome),
    how,
  ).toEqual(['done']);
  expect(of('step.completed'), how).toHaveLength(3);
  expect(of('task.completed'), how).toHaveLength(1);
  const id = String(of('run.finished')[0]?.stream.slice('run:'.length));
  const read = (file: string) => readFileSync(join(here.world.project, '.devs/worktrees', id, file), 'utf8');
  expect([read('one.txt'), read('two.txt'), read('three.txt')], how).toEqual(['visit 1\n', 'visit 2\n', 'visit 3\n']);
  expect(here.world.running(), how).toEqual([]);
  expect(here.git('worktree', 'list').split('\n'), how).toHaveLength(2);
}

describe('a run whose supervisor is killed', () => {
  it('[H16] [S2] at growing moments of its life, is finished by those who come after, and everything is done once', async () => {
    const here = await openRunWorld({ git: true });
    let at = 0;
    let last = await run(here, { at });
    for (at = STEP; last.killed; at += STEP) last = await run(here, { at });
    expect(last.end).toMatchObject({ status: 'finished', outcome: 'done' });
    await expectDoneOnce(here, `killed at every moment ${STEP} after the last, up to ${at}`);
    expect(at).toBeGreaterThan(10);
  }, 0);

  it.each(['supervisor', 'host', 'agent'])(
    '[H16] at random moments, or whose %s is, ends with the work done once',
    async (victim) => {
      const random = createRandom(seed());
      for (let round = 0; round < rounds(1); round++) {
        const here = await openRunWorld({ git: true });
        const moments: number[] = [];
        let last: Ending = { killed: true, moments: 0 };
        for (let kills = 0; kills < 4 && last.end === undefined; kills++) {
          moments.push(random.below(45));
          last = await run(here, { at: moments.at(-1), victim });
        }
        if (last.end === undefined) last = await run(here, {});
        const how = `${victim} killed at ${moments.join(', ')}`;
        expect(last.end, `${how}: ${JSON.stringify(last.end)}`).toMatchObject({ status: 'finished', outcome: 'done' });
        await expectDoneOnce(here, how);
      }
    },
    0,
  );
});

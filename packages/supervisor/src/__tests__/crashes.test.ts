import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openWorld, type World } from './world.js';

const PROGRAM = fileURLToPath(new URL('./programs/renew-and-die.mjs', import.meta.url));

type Run = { readonly killed: true } | { readonly killed: false; readonly moments: number };

/** A supervisor in a process of its own, which dies at a moment. */
const run = (options: Readonly<Record<string, unknown>>): Promise<Run> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [PROGRAM, JSON.stringify(options)], (error, stdout, stderr) => {
      if (error === null) resolve({ killed: false, ...(JSON.parse(stdout) as { moments: number }) });
      else if (error.signal === 'SIGKILL') resolve({ killed: true });
      else reject(new Error(stderr || String(error)));
    });
  });

/** No agent twice, none too many, none lost, and the task where it was. */
async function expectWhole({ store, starts, running }: World, at: string): Promise<void> {
  const fresh = starts().filter(({ resumed }) => !resumed);
  const events = await store.log.read({ stream: 'terminal:parser', limit: 10_000 });
  const spawned = events.flatMap(({ type, data }) => (type === 'agent.spawned' ? [data.agentId] : []));
  expect(running(), at).toHaveLength(1);
  expect(new Set(fresh.map(({ conversation }) => conversation)).size, `double starts, ${at}`).toBe(fresh.length);
  expect(new Set(spawned).size, `double spawns, ${at}`).toBe(spawned.length);
  expect((await store.tasks.get('T1'))?.status, at).toBe('in_progress');
}

async function worldWithTask() {
  const world = await openWorld();
  await world.store.tasks.add([{ id: 'T1', intent: 'Write the parser' }]);
  const claim = await world.store.tasks.claim({ by: 'test', leaseMs: 600_000, id: 'T1' });
  if (claim.status !== 'claimed') throw new Error(claim.status);
  return { world, base: { folder: world.folder, task: { id: 'T1', fence: claim.fence } } };
}

describe('a supervisor that is killed', () => {
  it('[H16] [H7] at every moment of a renewal, is followed by one that finishes or undoes it', async () => {
    const { world, base } = await worldWithTask();
    let killAt = 0;
    let isOver = false;
    for (; !isOver; killAt++) {
      const first = await run({ ...base, what: 'renew', killAt });
      isOver = !first.killed;
      if (!isOver && killAt % 4 !== 3) continue; // the next one finishes what this one left, and is killed later
      await run({ ...base, what: 'nothing' });
      await expectWhole(world, `after a kill at moment ${killAt}`);
    }
    expect(killAt).toBeGreaterThan(20);
    const events = await world.store.log.read({ stream: 'terminal:parser', limit: 10_000 });
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('takeover.confirmed')).toBe(count('renewal.started'));
  }, 240_000);

  it.each(['undo', 'clear'])(
    '[H16] at random moments of "%s", is followed by one that finishes it',
    async (what) => {
      const random = createRandom(seed());
      const { world, base } = await worldWithTask();
      await run({ ...base, what: 'renew' });
      for (let round = 0; round < rounds(3); round++) {
        const killAt = random.below(12);
        await run({ ...base, what, killAt });
        await run({ ...base, what: 'renew' });
        await expectWhole(world, `after a kill at moment ${killAt} of ${what}`);
      }
    },
    240_000,
  );
});

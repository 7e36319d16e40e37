import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import type { SupervisedTerminal } from '../supervised-terminal.js';
import { isIdle, openWorld } from './world.js';

/** How the agent takes the request for its handoff, and how it and the next one behave besides. */
const ANSWERS = [
  'answers',
  'slow',
  'floods',
  'never-answers',
  'crashes-in-handoff',
  'exits-in-handoff',
  'dialog',
  'mentions',
];
const MANNERS = ['', 'ignores-sigterm', 'forks', 'swallows-enter', 'forks ignores-sigterm'];
/** What happens to it from outside while it is renewed. */
const FAULTS = [
  'nothing',
  'nothing',
  'kill the agent',
  'kill the host',
  'let go and take up',
  'the user types',
] as const;

/** A second takes this many. */
const SPEED = 40;

describe('an agent that is renewed again and again under random faults', () => {
  it('[H7] [H10] [H11] [H16] is never lost, never doubled, never left behind, and never renewed for nothing', async ({
    annotate,
  }) => {
    const random = createRandom(seed());
    const world = await openWorld();
    await world.store.tasks.add([{ id: 'T1', intent: 'Write the parser' }]);
    const claim = await world.store.tasks.claim({ by: 'test', leaseMs: 3_600_000_000, id: 'T1' });
    if (claim.status !== 'claimed') throw new Error(claim.status);
    const began = Date.now();
    const changes = {
      task: { id: 'T1', fence: claim.fence },
      ownWords: 'always',
      clock: { now: () => began + (Date.now() - began) * SPEED },
      policy: { resumeMs: 10, mostResumes: 100 },
      timing: {
        graceMs: 400,
        confirmMs: 8_000 * SPEED,
        considerMs: 50,
        leaseMs: 60_000 * SPEED,
        pollMs: 10,
        attendedMs: 20 * SPEED,
        cacheMs: 1e12,
      },
    } as const;
    let terminal: SupervisedTerminal = await world.supervise(changes);
    const tally: Record<string, number> = {};
    const isSettled = () => terminal.status().renewal === 'idle' && isIdle(terminal)();
    const behave = (words: string) => writeFileSync(join(world.folder, 'home', 'behaviour'), words);

    for (let round = 0; round < rounds(4, 1_000); round++) {
      const [answer, manner, fault] = [random.pick(ANSWERS), random.pick(MANNERS), random.pick(FAULTS)];
      const at = `round ${round}: ${answer}, ${manner}, ${fault}`;
      behave(manner);
      await world.until(`settled before ${at}`, isSettled);
      await world.say(terminal, `Go on @write file-${round}.ts`);
      behave(`${answer} ${manner}`);
      const before = terminal.status().contextRefreshCount;
      const startsBefore = world.starts().length;
      const renewing = terminal.renew().catch(() => undefined);
      await pause(random.below(random.pick([100, 400, 1_200])));
      const victims = world.running().map(({ pid }) => pid);
      const startsAtFault = world.starts().length;
      if (fault === 'kill the agent') for (const pid of victims) process.kill(pid, 'SIGKILL');
      if (fault === 'kill the host') {
        const host = await world.request().openHost();
        process.kill(host.pid, 'SIGKILL');
        host.close();
      }
      if (fault.startsWith('kill') && victims.length > 0) {
        const isNoticed = () => world.starts().length > startsAtFault || terminal.status().needs !== undefined;
        await world.until(`noticed, ${at}`, isNoticed);
      }
      if (fault === 'let go and take up') {
        await terminal.close();
        await renewing;
        terminal = await world.supervise({ ...changes, launch: undefined });
      }
      if (fault === 'the user types') terminal.user({ typed: true });
      await renewing;
      behave(manner);
      await world.until(`settled after ${at}`, isSettled);

      const { contextRefreshCount } = terminal.status();
      tally[contextRefreshCount === before ? 'not renewed' : 'renewed'] =
        (tally[contextRefreshCount === before ? 'not renewed' : 'renewed'] ?? 0) + 1;
      tally[fault] = (tally[fault] ?? 0) + 1;
      expect(contextRefreshCount - before, at).toBeLessThanOrEqual(1);
      await world.until(`one agent after ${at}`, () => world.running().length === 1);
      const fresh = world.starts().filter(({ resumed }) => !resumed);
      expect(new Set(fresh.map(({ conversation }) => conversation)).size, at).toBe(fresh.length);
      expect(world.starts().at(-1)?.beside, `two at once, ${at}`).toEqual([]);
      if (fault === 'nothing') expect(world.starts().length - startsBefore, at).toBeGreaterThanOrEqual(1);
      expect((await world.store.tasks.get('T1'))?.status, at).toBe('in_progress');
      expect(world.starts().at(-1)?.system.split('BASE PROMPT').length, at).toBe(2);
    }
    await terminal.stop();
    expect(world.leftovers()).toEqual([]);
    const events = await world.store.log.read({ stream: 'terminal:parser', limit: 100_000 });
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('renewal.started')).toBe(
      count('takeover.confirmed') + count('takeover.missed') + count('renewal.abandoned'),
    );
    await annotate(
      `${JSON.stringify(tally)}; ${world.starts().length} starts, confirmed ${count('takeover.confirmed')}, missed ${count('takeover.missed')}`,
    );
  }, 0);
});

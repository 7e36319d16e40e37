import type { Store } from '@devs/core';
import { describe, expect, it } from 'vitest';
import type { RunHandle } from '../run.js';
import { openRunWorld, type RunWorld } from './run-world.js';
import { type TroubledStore, troubledStore } from './troubled-store.js';

/** A step that takes longer than the test, in an agent with a child of its own. */
const STEPS = [{ id: 'long', instructions: '@wait-once 60000 @write done.txt' }] as const;
const TIMING = { leaseMs: 4_000 } as const;

async function runAtWork(): Promise<{ here: RunWorld; run: RunHandle; troubled: TroubledStore }> {
  const here = await openRunWorld({ behaviour: 'has-child' });
  const troubled = troubledStore(here.world.store);
  const run = await here.start(STEPS, { store: troubled.store, timing: { ...here.parts.timing, ...TIMING } });
  await here.world.until('an agent at work', () => run.status().terminals[0]?.state?.activity === 'busy');
  return { here, run, troubled };
}

describe('a supervisor that gives up', () => {
  it.each(['disk full', 'gone', 'silent', 'lease lost'] as const)(
    '[R2] ends its agent and all that it started first: %s',
    async (trouble) => {
      const { here, run, troubled } = await runAtWork();
      expect(here.world.leftovers()).not.toEqual([]);
      troubled.trouble = trouble;
      expect(await here.ended(run)).toMatchObject({ status: 'lost' });
      expect(here.world.running()).toEqual([]);
      expect(here.world.leftovers()).toEqual([]);
    },
  );

  it('[R2] ends its agent and pauses the work where the store was emptied', async () => {
    const { here, run, troubled } = await runAtWork();
    troubled.trouble = 'replaced';
    expect(await here.ended(run)).toEqual({
      status: 'lost',
      why: 'its records are gone, so the work is paused: the store was emptied',
    });
    expect(here.world.leftovers()).toEqual([]);
  });

  it('[R2] leaves a run that can be resumed when the store is back', async () => {
    const { here, run, troubled } = await runAtWork();
    troubled.trouble = 'gone';
    await here.ended(run);
    troubled.trouble = 'none';
    const next = await here.resume(run.id);
    expect(await here.ended(next)).toMatchObject({ status: 'finished', outcome: 'done' });
  });

  it('[R2] ends an agent that was started when the start could not be stored', async () => {
    const here = await openRunWorld();
    const troubled = troubledStore(here.world.store);
    const { log } = troubled.store;
    const store: Store = {
      ...troubled.store,
      log: {
        ...log,
        read: (query) => log.read(query),
        version: (stream) => log.version(stream),
        follow: (query) => log.follow(query),
        append(stream, version, events) {
          if (events.some(({ type }) => type === 'agent.spawned')) troubled.trouble = 'disk full';
          return log.append(stream, version, events);
        },
      },
    };
    await expect(here.start(STEPS, { store })).rejects.toThrow('could not be written');
    await here.world.until('an empty terminal', () => here.world.running().length === 0);
  });

  it('[R2] ends the agent of a run that cannot be looked at any more', async () => {
    const here = await openRunWorld();
    let isDamaged = false;
    const { log } = here.world.store;
    const store: Store = {
      ...here.world.store,
      log: {
        append: (stream, version, events) => log.append(stream, version, events),
        version: (stream) => log.version(stream),
        follow: (query) => log.follow(query),
        read: (query) =>
          isDamaged && query?.stream?.startsWith('run:')
            ? Promise.reject(new Error('event 7 is damaged'))
            : log.read(query),
      },
    };
    const run = await here.start(STEPS, { store, timing: { ...here.parts.timing, ...TIMING } });
    await here.world.until('an agent at work', () => run.status().terminals[0]?.state?.activity === 'busy');
    isDamaged = true;
    expect(await here.ended(run)).toEqual({
      status: 'lost',
      why: 'it could not be looked at: Error: event 7 is damaged',
    });
    expect(here.world.running()).toEqual([]);
  });

  it('[R2] leaves the agent to a supervisor on the same machine that has taken it meanwhile', async () => {
    const { here, run, troubled } = await runAtWork();
    const [agent] = here.world.running();
    const host = await here.parts.openHost();
    await host.hold(run.id, 'another supervisor');
    troubled.trouble = 'lease lost';
    expect(await here.ended(run)).toMatchObject({ status: 'lost' });
    expect(here.world.running().map(({ pid }) => pid)).toEqual([agent?.pid]);
    await host.end(run.id, { graceMs: 100 });
    host.close();
  });
});

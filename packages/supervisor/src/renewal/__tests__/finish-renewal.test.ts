import { createEventLog, type RenewalEffect, type RenewalEvent } from '@devs/core';
import { createMemoryBackend } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginRenewal } from '../begin-renewal.js';
import { finishRenewal } from '../finish-renewal.js';
import type { RenewalPerformer } from '../renewal-performer.js';
import { createRenewalRecord } from '../renewal-record.js';

/** A machine with agents and a queue, which outlives supervisors; and a supervisor that may be stopped before or after any effect. */
function createWorld({ spawnFails = false } = {}) {
  const backend = createMemoryBackend();
  let ids = 0;
  const log = createEventLog({ backend, clock: { now: () => 0 }, newId: () => `commit-${ids++}` });
  const running = new Set(['a1']);
  const started: string[] = [];
  const released = new Set<string>();
  let releases = 0;

  const performer = (stop: Stop): RenewalPerformer => {
    const during = async <T extends RenewalEvent>(type: RenewalEffect['type'], work: () => T): Promise<T> => {
      stop.at('before', type);
      const outcome = work();
      stop.at('after', type);
      return outcome;
    };
    return {
      askForHandoff: () =>
        during('ask-for-handoff', () => ({ type: 'handoff.received', source: 'tool', text: 'Words' })),
      buildDocument: ({ words }) =>
        during('build-document', () => ({
          type: 'document.verified',
          document: `# Handoff\n${words ?? ''}`,
          added: [],
        })),
      saveCheckpoint: () => during('save-checkpoint', () => ({ type: 'checkpoint.skipped', reason: 'no repository' })),
      endAgent: ({ agentId }) =>
        during('end-agent', () => {
          running.delete(agentId);
          return { type: 'agent.ended', forced: false };
        }),
      spawnAgent: ({ agentId }) =>
        during('spawn-agent', () => {
          if (spawnFails) return { type: 'spawn.failed', error: 'no such program' };
          if (!running.has(agentId)) started.push(agentId);
          running.add(agentId);
          return { type: 'agent.spawned', agentId };
        }),
      confirmTakeover: () => during('confirm-takeover', () => ({ type: 'takeover.confirmed' })),
      releaseTask: ({ taskId }) =>
        during('release-task', () => {
          if (!released.has(taskId)) releases++;
          released.add(taskId);
          return { type: 'task.released', taskId };
        }),
    };
  };
  return {
    record: () => createRenewalRecord(log, 't1'),
    performer,
    seen: () => ({ running: [...running], started, released: [...released], releases }),
  };
}

interface Stop {
  at(when: 'before' | 'after', effect: RenewalEffect['type']): void;
}

class Killed extends Error {}
const never: Stop = { at: () => {} };
const killedAt = (wanted: number): Stop => {
  let count = 0;
  return {
    at() {
      if (count++ === wanted) throw new Killed();
    },
  };
};

const request = {
  cause: 'firm mark',
  agentId: 'a1',
  taskId: 'T1',
  ask: true,
  autoHandoff: true,
  isShuttingDown: false,
  most: 10,
} as const;
const deps = { newId: () => 'a2', now: () => 1_000 };

describe('a renewal that is performed', () => {
  it('ends the old agent, starts the new one once, and carries the task', async () => {
    const world = createWorld();
    const record = world.record();
    expect(await beginRenewal(record, request, deps)).toEqual({ begun: true, newAgentId: 'a2', refreshCount: 1 });
    expect(await finishRenewal(record, world.performer(never))).toMatchObject({ phase: 'idle', completed: 1 });
    expect(world.seen()).toEqual({ running: ['a2'], started: ['a2'], released: [], releases: 0 });
  });

  it('[H10] releases the task once when the new agent cannot be started', async () => {
    const world = createWorld({ spawnFails: true });
    const record = world.record();
    await beginRenewal(record, request, deps);
    expect(await finishRenewal(record, world.performer(never))).toMatchObject({
      phase: 'failed',
      error: 'no such program',
    });
    expect(world.seen()).toEqual({ running: [], started: [], released: ['T1'], releases: 1 });
  });

  it('is not begun twice, by one supervisor or by two', async () => {
    const world = createWorld();
    const [one, two] = [world.record(), world.record()];
    await one.read();
    await two.read();
    expect(await beginRenewal(one, request, deps)).toMatchObject({ begun: true });
    expect(await beginRenewal(two, request, deps)).toEqual({ begun: false, reason: 'under way' });
  });

  it('is begun for a person who asks, though it is switched off and brought nothing last time', async () => {
    const world = createWorld();
    const record = world.record();
    await beginRenewal(record, request, deps);
    await finishRenewal(record, world.performer(never));
    expect(await beginRenewal(record, request, deps)).toMatchObject({ begun: false });
    const asked = await beginRenewal(
      record,
      { ...request, cause: 'asked for', agentId: 'a2', autoHandoff: false },
      deps,
    );
    expect(asked).toMatchObject({ begun: true });
  });

  it.each([false, true])(
    '[H16] comes to the same end when the supervisor is killed before or after any effect (spawn fails: %s)',
    async (spawnFails) => {
      const whole = createWorld({ spawnFails });
      await beginRenewal(whole.record(), request, deps);
      const expected = await finishRenewal(whole.record(), whole.performer(never));
      for (let moment = 0; ; moment++) {
        const world = createWorld({ spawnFails });
        await beginRenewal(world.record(), request, deps);
        const killed = await finishRenewal(world.record(), world.performer(killedAt(moment))).then(
          () => false,
          (error) => error instanceof Killed,
        );
        expect(await finishRenewal(world.record(), world.performer(never))).toEqual(expected);
        expect(world.seen()).toEqual(whole.seen());
        if (!killed) return;
      }
    },
  );

  it('comes to the same end when two supervisors perform it at once, and any of them is killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(16), fc.nat(16), fc.boolean(), async (one, two, spawnFails) => {
        const world = createWorld({ spawnFails });
        await beginRenewal(world.record(), request, deps);
        await Promise.allSettled(
          [one, two].map((moment) => finishRenewal(world.record(), world.performer(killedAt(moment)))),
        );
        const end = await finishRenewal(world.record(), world.performer(never));
        expect(end.phase).toBe(spawnFails ? 'failed' : 'idle');
        const { started, releases } = world.seen();
        expect({ started, releases }).toEqual(
          spawnFails ? { started: [], releases: 1 } : { started: ['a2'], releases: 0 },
        );
      }),
    );
  });
});

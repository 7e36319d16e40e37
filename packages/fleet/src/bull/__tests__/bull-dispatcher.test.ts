import { dispatcherContract, proveDispatcher, until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openBullDispatcher } from '../open-bull-dispatcher.js';
import { useRedis } from './redis.js';

const redis = useRedis();
let proofs = 0;

/** Each proof has its own prefix, which acts as its own database. */
const open = (lockMs = 30_000) => openBullDispatcher({ url: `${redis.url()}?prefix=proof-${++proofs}`, lockMs });
const again = (lockMs = 30_000) => openBullDispatcher({ url: `${redis.url()}?prefix=proof-${proofs}`, lockMs });
const ticket = (task: string) => ({ task, needs: [], priority: 0 });
const ant = { name: 'ant', slots: 1, labels: [] };

describe('a dispatcher by BullMQ', () => {
  it.each(Object.entries(dispatcherContract))('%s', (_sentence, proof) => proveDispatcher(proof, open()));

  it('hands out the tickets of a machine that was lost to another one', async () => {
    const [lost, other] = [open(1_000), again(1_000)];
    const [stop, seen]: [AbortController, string[]] = [new AbortController(), []];
    const work = new Promise<void>(() => {}); // never ends, as on a machine without power
    void lost.serve(ant, () => work, stop.signal).catch(() => {});
    await lost.issue([ticket('a')]);
    await until(async () => (await redis.command('KEYS', `{proof-${proofs}}:fleet:any:task-a:lock`)).length > 0);
    await lost.close();
    const serving = other.serve({ ...ant, name: 'bee' }, async ({ task }) => void seen.push(task), stop.signal);
    await until(() => seen.length > 0);
    stop.abort();
    await serving;
    await other.close();
    expect(seen).toEqual(['a']);
  });

  it('forgets everything without harm: tickets are issued again', async () => {
    const dispatcher = open();
    await dispatcher.issue([ticket('a')]);
    const keys = await redis.command('KEYS', `{proof-${proofs}}:fleet:*`);
    expect(keys.length).toBeGreaterThan(1);
    await redis.command('DEL', ...keys);
    await dispatcher.close();

    const [later, stop, seen]: [ReturnType<typeof again>, AbortController, string[]] = [
      again(),
      new AbortController(),
      [],
    ];
    const serving = later.serve(ant, async ({ task }) => void seen.push(task), stop.signal);
    await later.issue([ticket('a')]);
    await until(() => seen.length === 1);
    stop.abort();
    await serving;
    await later.close();
  });

  it('leaves nothing of a worked-off ticket in Redis', async () => {
    const dispatcher = open();
    const stop = new AbortController();
    let done = 0;
    const serving = dispatcher.serve(ant, async () => void done++, stop.signal);
    await dispatcher.issue(['a', 'b', 'c'].map(ticket));
    await until(() => done === 3);
    await until(async () => (await redis.command('KEYS', `{proof-${proofs}}:fleet:any:task-*`)).length === 0);
    stop.abort();
    await serving;
    await dispatcher.close();
  });
});

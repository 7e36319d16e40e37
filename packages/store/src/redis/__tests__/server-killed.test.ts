import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@devs/core';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { expect, it } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { audit } from './audit.js';
import { useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();
const WRITERS = 8;

it('a server that is killed and started again loses nothing, and its clients recover by themselves', async () => {
  const random = createRandom(seed());
  const backends = await Promise.all([1, 2, 3].map(() => openRedisBackend({ url: redis().url })));
  const [audited, ...writing] = backends as [(typeof backends)[0], ...typeof backends];
  const stores = writing.map((backend) => openStore({ backend, clock: { now: Date.now }, newId: randomUUID }));
  const acknowledged: string[] = [];
  const stop = new AbortController();
  const followed = follow(stores[0] as Store, stop.signal);
  let isOver = false;

  const write = async ({ log }: Store, name: string) => {
    for (let count = 0; !isOver; count++) {
      const text = `${name} wrote ${count}`;
      const result = await log.append(`run:${name}`, count, [{ type: 'note.written', data: { text } }]);
      expect(result).toMatchObject({ status: 'appended', version: count + 1 });
      acknowledged.push(text);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, index) => write(stores[index % 2] as Store, `w${index}`));
  const reached = async (count: number) => {
    while (acknowledged.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  for (let round = 0; round < rounds(3); round++) {
    await reached(acknowledged.length + 1 + random.below(400));
    await redis().kill();
    await redis().start();
  }
  await reached(acknowledged.length + 100);
  isOver = true;
  await Promise.all(writers);

  const stored = (await audit(audited)).map(({ data }) => data['text'] as string);
  expect(new Set(stored).size).toBe(stored.length);
  expect([...stored].sort()).toEqual([...acknowledged].sort());
  await expect.poll(() => followed.texts.length).toBe(stored.length);
  expect(followed.texts).toEqual(stored);
  stop.abort();
  await followed.over;
  await Promise.all(backends.map((backend) => backend.close()));
}, 600_000);

function follow({ log }: Store, signal: AbortSignal) {
  const texts: unknown[] = [];
  const over = (async () => {
    for await (const { data } of log.follow({ signal })) texts.push(data['text']);
  })();
  return { texts, over };
}

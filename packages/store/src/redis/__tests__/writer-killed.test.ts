import { createRandom, rounds, seed } from '@devs/core/testing';
import { expect, it } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { audit } from './audit.js';
import { useScratchRedis } from './scratch-redis.js';
import { startWriter, type Writer } from './start-writer.js';

const redis = useScratchRedis();
const MAX_ACKNOWLEDGED = 120;
const MAX_MORE_MS = 3;

it('[S2] a writer killed at any moment loses no acknowledged write and stores nothing twice', async () => {
  const random = createRandom(seed());
  const backend = await openRedisBackend({ url: redis().url });
  const texts: string[] = [];
  const changes: string[] = [];
  for (let round = 0; round < rounds(2, 200); round++) {
    const writer = startWriter({ url: redis().url, name: `w${round}`, stream: 'run:killed' });
    await writer.reached(random.below(MAX_ACKNOWLEDGED));
    await new Promise((resolve) => setTimeout(resolve, random.below(MAX_MORE_MS)));
    writer.kill();
    expect(await writer.ended).toBeNull(); // it did not end by itself
    texts.push(...textsOf(writer));
    changes.push(...changesOf(writer));

    const events = await audit(backend);
    const stored = events.flatMap(({ data }) => (typeof data['text'] === 'string' ? [data['text']] : []));
    const distinct = new Set<string>(stored);
    expect(distinct.size).toBe(stored.length);
    expect(texts.filter((text) => !distinct.has(text))).toEqual([]);
    const happened = new Set(events.map(({ stream, type }) => `${stream} ${type}`));
    expect(changes.filter((change) => !happened.has(change))).toEqual([]);
  }
  await backend.close();
}, 600_000);

it('two processes that append to one stream lose nothing, and every conflict is reported', async () => {
  const url = `${redis().url}?prefix=two-writers:`;
  const writers = ['left', 'right'].map((name) => startWriter({ url, name, stream: 'run:shared', appends: 200 }));
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0]);

  const backend = await openRedisBackend({ url });
  const stored = (await audit(backend)).map(({ data }) => data['text']);
  await backend.close();
  expect(stored).toHaveLength(400);
  expect([...stored].sort()).toEqual(writers.flatMap(textsOf).sort());
});

const textsOf = ({ acknowledged }: Writer) => acknowledged.flatMap((line) => ('text' in line ? [line.text] : []));
const changesOf = ({ acknowledged }: Writer) =>
  acknowledged.flatMap((line) => ('task' in line ? [`task:${line.task} ${line.type}`] : []));

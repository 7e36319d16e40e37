import { randomUUID } from 'node:crypto';
import { openStore } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { findRedisKeys, removeRedisKeys } from '../redis-keys.js';
import { useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();
const urlOf = (prefix: string, login = '') => `redis://${login}127.0.0.1:${redis().port}?prefix=${prefix}`;
const allKeys = async () => ((await redis().command('KEYS', '*')) as string[]).sort();

async function fill(prefix: string, tasks = 3): Promise<void> {
  const backend = await openRedisBackend({ url: urlOf(prefix) });
  const store = openStore({ backend, clock: { now: Date.now }, newId: randomUUID });
  await store.tasks.add(Array.from({ length: tasks }, (_, index) => ({ id: `t${index}`, intent: 'do it' })));
  await store.tasks.claim({ by: 'x', leaseMs: 1_000 });
  await store.leases.acquire({ name: 'run:a', by: 'x', leaseMs: 1_000 });
  await store.close();
}

describe('the keys of a store in Redis', () => {
  it('are all removed, and none of other stores and programs, however alike their names are', async () => {
    for (const prefix of ['shop', 'shop2', 'shop:2', 'sho']) await fill(prefix);
    for (const key of ['shop:log', '{shop}', '{shop}x:log', '{SHOP}:log', 'x{shop}:log']) {
      await redis().command('SET', key, 'theirs');
    }
    const others = (await allKeys()).filter((key) => !key.startsWith('{shop}:'));
    const { count } = await findRedisKeys(urlOf('shop'));

    expect(count).toBe((await allKeys()).length - others.length);
    expect(await removeRedisKeys(urlOf('shop'))).toEqual({
      where: `redis://127.0.0.1:${redis().port}`,
      prefix: '{shop}:',
      count,
    });
    expect(await allKeys()).toEqual(others);
    expect((await findRedisKeys(urlOf('shop'))).count).toBe(0);
    expect((await removeRedisKeys(urlOf('shop'))).count).toBe(0);
  });

  it('are found when they are many more than are looked at in one step', async () => {
    for (const part of [0, 1, 2, 3]) await fill(`many-${part}`, 900);
    const others = (await allKeys()).filter((key) => !key.startsWith('{many-1}:'));

    expect((await removeRedisKeys(urlOf('many-1'))).count).toBeGreaterThan(900);
    expect(await allKeys()).toEqual(others);
  });

  it('can be removed by a user who may touch nothing else, whose password is not repeated', async () => {
    const rights = ['~{acl}:*', '+@read', '+@write', '+@scripting', '+info', '+select', '+quit'];
    await redis().command('ACL', 'SETUSER', 'anna', 'on', '>hunter2', ...rights);
    await fill('acl');
    const removed = await removeRedisKeys(urlOf('acl', 'anna:hunter2@'));

    expect(removed.count).toBeGreaterThan(3);
    expect(JSON.stringify(removed)).not.toContain('hunter2');
  });
});

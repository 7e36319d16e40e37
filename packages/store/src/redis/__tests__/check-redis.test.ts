import { SILENT_ADDRESS } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { checkRedis } from '../check-redis.js';
import { useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();

const set = async (settings: Readonly<Record<string, string>>) => {
  await redis().command('CONFIG', 'SET', ...Object.entries(settings).flat());
};

describe('what could make a Redis lose data', () => {
  it('is nothing when every write is on disk and nothing is evicted', async () => {
    expect(await checkRedis(redis().url)).toEqual([]);
  });

  it.each([
    [{ 'maxmemory-policy': 'allkeys-lru' }, /maxmemory-policy .* allkeys-lru: .* noeviction/],
    [{ appendfsync: 'everysec' }, /appendfsync .* everysec: .* a second or two .* always/],
    [{ appendfsync: 'no' }, /appendfsync .* is no: .* half a minute .* always/],
    [{ appendonly: 'no', save: '60 1' }, /appendonly .* off: .* last snapshot/],
    [{ appendonly: 'no', save: '' }, /keeps nothing on disk/],
  ])('is said for %j', async (settings, expected) => {
    await set(settings);
    try {
      expect(await checkRedis(redis().url)).toEqual([expect.stringMatching(expected)]);
    } finally {
      await set({ 'maxmemory-policy': 'noeviction', appendfsync: 'always', appendonly: 'yes', save: '' });
    }
  });

  it('is not fully known when the settings are hidden, and that is said', async () => {
    await redis().command('ACL', 'SETUSER', 'guest', 'on', '>guest', '~*', '+@all', '-config');
    await set({ 'maxmemory-policy': 'allkeys-lru' });
    const warnings = await checkRedis(`redis://guest:guest@127.0.0.1:${redis().port}`);
    await set({ 'maxmemory-policy': 'noeviction' });
    expect(warnings).toEqual([expect.stringContaining('allkeys-lru'), expect.stringContaining('(CONFIG)')]);
  });

  it('is unknown if no server answers', async () => {
    const url = `redis://${SILENT_ADDRESS}`;
    await expect(checkRedis(url, { openMs: 100 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});

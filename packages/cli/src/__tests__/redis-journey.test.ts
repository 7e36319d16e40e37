import { SILENT_ADDRESS } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { useRedisServer } from './redis-server.js';
import { runDevs } from './run-devs.js';

const { folder, address, command } = useRedisServer();
const devs = (...args: string[]) => runDevs(args, { cwd: folder(), env: { DEVS_STORE: '' } });
const storeAt = (prefix: string) => ['--store', `${address()}?prefix=${prefix}`];

describe('with a store in Redis', () => {
  it('everything of it can be removed, and only when that is meant', async () => {
    const [shop, other] = [storeAt('shop:'), storeAt('shop:other')];
    await devs('task', 'add', 'one', ...shop); // waits for the server
    await devs('task', 'add', 'two', ...other);
    await command('SET shop:theirs precious');

    const asked = await devs('purge', ...shop);
    expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
    expect(asked.stderr).toMatch(
      /^This will be removed:\n {2}redis:\/\/127\.0\.0\.1:\d+: \d+ keys that begin with \{shop\}:\nIt holds 1 task: 1 pending\.\n/,
    );
    expect(JSON.parse((await devs('task', 'list', '--json', ...shop)).stdout)).toMatchObject({ total: 1 });

    const purged = await devs('purge', '--yes', '--json', ...shop);
    expect(purged.exitCode).toBe(0);
    expect(JSON.parse(purged.stdout)).toMatchObject({
      removed: [expect.stringContaining('keys that begin with {shop}:')],
    });
    expect(await devs('purge', ...shop)).toEqual({ exitCode: 0, stdout: 'There is nothing to remove.\n', stderr: '' });
    expect(JSON.parse((await devs('task', 'list', '--json', ...other)).stdout)).toMatchObject({ total: 1 });
    expect(await command('GET shop:theirs')).toContain('precious');
  });

  it('says what is the matter where no server answers, without the password', async () => {
    const { exitCode, stderr } = await devs(
      'purge',
      '--yes',
      '--store',
      `redis://a:hunter2@${SILENT_ADDRESS}?prefix=shop:`,
    );

    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`no Redis answers at redis://${SILENT_ADDRESS}`)]);
    expect(stderr).not.toContain('hunter2');
  });
});

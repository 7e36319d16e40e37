import { StoreUnavailableError } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { createWorld } from './run-here.js';

describe('devs doctor', () => {
  it('says that all is well, and that there is no store yet', async () => {
    const { stdout, exitCode } = await createWorld().devs(['doctor']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ok       devs 1.2.3\n');
    expect(stdout).toMatch(/^ok {7}store: .*none yet/m);
  });

  it('warns of what could be lost, which is no reason to stop', async () => {
    const { stdout, exitCode } = await createWorld().devs(['doctor', '--json', '--store', 'redis://localhost:6379']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      findings: [{}, {}, { level: 'warning', text: 'appendfsync is everysec: the last second can be lost' }],
    });
  });

  it('says what is the matter with a store that cannot be used, without the password', async () => {
    const world = createWorld();
    await world.devs(['task', 'add', 'x']);
    const records = {
      ...world.records,
      open: async () => {
        throw new StoreUnavailableError('there is no Redis at localhost:6379; start one');
      },
    };
    const { stdout, exitCode } = await world.devs(['doctor', '--store', 'redis://me:hunter22@localhost:6379'], {
      records,
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^problem {2}store: .*there is no Redis at localhost:6379; start one/m);
    expect(stdout).not.toContain('hunter22');
  });
});

import { until } from '@devs/core/testing';
import { expect, it } from 'vitest';
import { useRedisServer } from '../../__tests__/redis-server.js';
import { openRunProject } from './run-project.js';

const { address, command } = useRedisServer();

it.skipIf(process.platform !== 'linux')(
  '[R2] a run whose Redis is emptied ends its agent, and says what happened and what to do',
  async () => {
    const project = openRunProject({ remote: true });
    const devs = project.start('run', 'feature', 'Add formatDuration', '--store', address());
    let hasEnded = false;
    void devs.ended.then(() => {
      hasEnded = true;
    });
    await until(() => hasEnded || devs.lines.some((line) => line.includes('supervised by')));
    await command('FLUSHALL');
    const { exitCode, stdout } = await devs.ended;
    const [told = '', advice = ''] = stdout.trim().split('\n').slice(-2);
    expect(exitCode).toBe(1);
    expect(told).toMatch(
      /^Run run-\w+ is not supervised from here any more: its records are gone, so the work is paused: /,
    );
    expect(told).toContain('it was emptied (FLUSHALL, an empty replica) or replaced.');
    expect(told).toContain("Restore the server's data, then try again.");
    expect(advice).toMatch(/its records exist, continue with `devs resume run-\w+`/);
    expect(project.processes().filter(({ kind }) => kind !== 'host' && kind !== 'supervisor')).toEqual([]);
  },
);

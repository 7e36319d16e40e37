import { collect } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { useRedisServer } from '../../__tests__/redis-server.js';
import { readLines } from '../../archive/archive-file.js';
import { openFleet } from './fleet-world.js';

const { address } = useRedisServer();
const MINUTE = 60_000;

describe.skipIf(process.platform !== 'linux')('runs of a shared store that were archived', () => {
  it(
    '[F1] are in a file, and a task that depends on one begins at its merged work on another machine',
    async () => {
      const { machine } = openFleet(address());
      const [ant, bee] = [machine('ant'), machine('bee')];
      for (const { devs } of [ant, bee]) await devs('config', '--trust');
      expect(await ant.devs('task', 'add', 'One', '--id', 'one')).toMatchObject({ exitCode: 0 });
      expect((await ant.queue()).stdout).toContain('run.finished');
      expect(await ant.devs('archive', '--older-than', '0', '--json')).toMatchObject({
        stdout: expect.stringContaining('"runs":0'),
      });
      expect(await ant.devs('merge')).toMatchObject({ exitCode: 0 });
      ant.git('push', '--quiet', 'origin', 'HEAD:main');

      const archived = JSON.parse((await ant.devs('archive', '--older-than', '0', '--json')).stdout) as {
        readonly files: readonly string[];
        readonly runs: number;
        readonly events: number;
      };
      expect(archived).toMatchObject({ runs: 1, files: [expect.any(String)] });
      const lines = await collect(readLines(archived.files[0] ?? ''));
      expect(lines).toHaveLength(archived.events + 2);
      expect(lines.filter((line) => line.includes('"run.finished"'))).toHaveLength(1);
      expect((await bee.events()).filter(({ stream }) => stream.startsWith('run:'))).toEqual([]);
      expect(await bee.devs('debug', 'verify')).toMatchObject({ exitCode: 0 });

      expect(await ant.devs('task', 'add', 'Two', '--id', 'two', '--after', 'one')).toMatchObject({ exitCode: 0 });
      expect((await bee.queue()).stdout).toContain('run.finished');
      expect((await bee.tasks()).map(({ id, status }) => [id, status])).toEqual([
        ['one', 'done'],
        ['two', 'done'],
      ]);
      const merged = ant.git('rev-parse', 'HEAD');
      const two = (await bee.events()).findLast(({ type }) => type === 'work.pushed')?.data['commit'];
      expect(bee.git('merge-base', merged, String(two))).toBe(merged);
    },
    6 * MINUTE,
  );
});

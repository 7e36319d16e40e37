import { until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { useRedisServer } from '../../__tests__/redis-server.js';
import { openFleet } from './fleet-world.js';
import { processesOf } from './run-project.js';

const { address, command } = useRedisServer();
const MINUTE = 60_000;

interface Listed {
  readonly machines: readonly { readonly name: string; readonly state: string; readonly labels: readonly string[] }[];
  readonly unmet: readonly unknown[];
}

describe.skipIf(process.platform !== 'linux')('workers with a store and a remote in common', () => {
  it(
    '[F1] do each task once at the right commits, though one is killed and the engine forgets everything',
    async () => {
      const { remote, machine, git, root } = openFleet(address(), { delay: '300ms' });
      const [ant, bee] = [machine('ant'), machine('bee')];
      for (const { devs } of [ant, bee]) await devs('config', '--trust');
      const add = async (...args: readonly string[]) =>
        expect(await ant.devs('task', 'add', ...args)).toMatchObject({ exitCode: 0, stderr: '' });
      await add('One', '--id', 'one');
      await add('Two', '--id', 'two', '--after', 'one');
      await add('Three', '--id', 'three', '--needs', 'gpu');
      await add('Four', '--id', 'four', '--needs', 'mac');
      const lost = ant.worker('--slots', '2');
      const stays = bee.worker('--slots', '2', '--labels', 'gpu');
      const list = async () => JSON.parse((await bee.devs('machines', '--json')).stdout) as Listed;
      const namesOf = ({ machines }: Listed) =>
        machines
          .filter(({ state }) => state === 'serving')
          .map(({ name }) => name)
          .sort();
      await until(async () => namesOf(await list()).join() === 'ant,bee');
      expect((await list()).unmet).toEqual([{ task: 'four', needs: ['mac'] }]);
      expect((await bee.devs('machines')).stdout).toContain('four waits: no machine here has mac.');

      await until(async () => (await bee.events()).some(({ type }) => type === 'step.completed'));
      ant.kill();
      await lost.ended;
      const keys = (await command('KEYS *:fleet:*')).split('\r\n').filter((line) => line.startsWith('{'));
      expect(keys.length).toBeGreaterThan(0);
      await command(`DEL ${keys.join(' ')}`);

      const isDone = (id: string) => async () => (await bee.tasks()).find((task) => task.id === id)?.status === 'done';
      for (const id of ['one', 'two', 'three']) {
        // The leases of the lost machine end by themselves after minutes.
        for (let tries = 0; tries < 200 && !(await isDone(id)()); tries++)
          await new Promise((resolve) => setTimeout(resolve, 2_000));
        expect(await isDone(id)()).toBe(true);
      }
      process.kill(stays.pid, 'SIGINT');
      const { exitCode, stdout, stderr } = await stays.ended;
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
      expect(stdout).toContain('"end"');

      const events = await bee.events();
      const times = (type: string) => events.filter((event) => event.type === type).length;
      expect({ done: times('task.completed'), finished: times('run.finished') }).toEqual({ done: 3, finished: 3 });
      const base = git(root, '-C', remote, 'rev-parse', 'main');
      const refs = git(root, '-C', remote, 'for-each-ref', '--format=%(refname)', 'refs/devs/runs').split('\n');
      expect(refs).toHaveLength(3);
      for (const ref of refs) expect(git(root, '-C', remote, 'merge-base', ref, 'main')).toBe(base);
      expect((await bee.tasks()).find(({ id }) => id === 'four')).toMatchObject({ status: 'pending' });
      expect(namesOf(await list())).toEqual([]);
      expect(processesOf(ant.state)).toEqual([]);
    },
    15 * MINUTE,
  );
});

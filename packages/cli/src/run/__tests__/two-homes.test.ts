import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { useRedisServer } from '../../__tests__/redis-server.js';
import { openFleet } from './fleet-world.js';
import { processesOf } from './run-project.js';

const { address } = useRedisServer();
const MINUTE = 60_000;

describe.skipIf(process.platform !== 'linux')('machines with a store and a remote in common', () => {
  it(
    '[F1] do each task once, at the work that it depends on, though one machine is lost',
    async () => {
      const { remote, machine, git, root } = openFleet(address(), { delay: '400ms' });
      const [ant, bee] = [machine('ant'), machine('bee')];
      for (const { devs } of [ant, bee]) await devs('config', '--trust');
      expect(await ant.devs('task', 'add', 'One', '--id', 'one')).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await bee.devs('task', 'add', 'Two', '--id', 'two', '--after', 'one')).toMatchObject({ exitCode: 0 });
      const base = git(root, '-C', remote, 'rev-parse', 'main');
      expect(git(root, '-C', remote, 'for-each-ref', '--format=%(refname)', 'refs/devs')).toBe(
        `refs/devs/bases/${base}`,
      );

      const lost = ant.queue();
      await until(async () => (await bee.events()).some(({ type }) => type === 'step.completed'));
      ant.kill();
      await lost;

      // The leases of the lost machine end by themselves.
      let said = '';
      for (let tries = 0; tries < 100; tries++) {
        said = (await bee.queue()).stdout;
        if ((await bee.tasks()).every(({ status }) => status === 'done')) break;
      }
      const events = await bee.events();
      const times = (type: string) => events.filter((event) => event.type === type).length;
      expect({ done: times('task.completed'), finished: times('run.finished'), said }).toMatchObject({
        done: 2,
        finished: 2,
      });
      const refs = git(root, '-C', remote, 'for-each-ref', '--format=%(refname)', 'refs/devs/runs').split('\n');
      expect(refs).toHaveLength(2);
      for (const ref of refs) {
        expect(git(root, '-C', remote, 'merge-base', ref, 'main')).toBe(base);
        expect(git(root, '-C', remote, 'ls-tree', '--name-only', ref).split('\n')).toContain('out.txt');
      }
      expect(processesOf(join(root, 'ant', 'state'))).toEqual([]);
    },
    12 * MINUTE,
  );

  it('refuse to work without a remote, with what to do', async () => {
    const { machine } = openFleet(address());
    const ant = machine('ant');
    await ant.devs('config', '--trust');
    ant.git('remote', 'remove', 'origin');
    const added = await ant.devs('task', 'add', 'One', '--id', 'one');
    expect(added.stderr).toContain('this clone has no remote "origin"');
    const { stderr, exitCode } = await ant.queue();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('git remote add origin URL')]);
  });
});

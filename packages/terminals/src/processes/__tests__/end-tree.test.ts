import { spawn as spawnChild } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectHost } from '../../client/connect-host.js';
import { endLeftovers, findLeftovers } from '../../client/leftovers.js';
import { fixtureAgent, openTestHost, watchText } from '../../testing/index.js';
import { endTree } from '../end-tree.js';
import { type ProcessInfo, parsePsList } from '../list-processes.js';
import { identifyProcess, isAlive, parseProcStat } from '../process-identity.js';
import { matchesMark, readBelonging } from '../process-mark.js';
import { createProcessTable } from '../process-table.js';
import { selectTree } from '../select-tree.js';

async function testHost() {
  const test = await openTestHost();
  onTestFinished(test.dispose);
  return test;
}

const runs = (pid: number) => identifyProcess(pid) !== undefined;

describe('ending an agent', () => {
  it('asks politely first', async () => {
    const { host, spawn } = await testHost();
    const { pid } = await spawn({ terminalId: 'a', file: 'sleep', args: ['1000'] });
    expect(await host.end('a', { graceMs: 60_000 })).toMatchObject({ manner: 'polite', survivors: [] });
    expect(runs(pid)).toBe(false);
  });

  it('reaches an agent that leads no process group yet', async () => {
    const child = spawnChild('sleep', ['1000'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const root = identifyProcess(child.pid ?? 0);
    if (root === undefined) throw new Error('sleep did not start');
    const request = { root, mark: 'none/none/0', table: createProcessTable(), graceMs: 60_000 };
    expect(await endTree(request)).toMatchObject({ manner: 'polite', survivors: [] });
  });

  it('kills an agent that ignores it, after the grace period', async () => {
    const { host, spawn } = await testHost();
    const { pid } = await spawn({ terminalId: 'a', ...fixtureAgent('ignores-sigterm') });
    const watched = await watchText(host, 'a');
    await watched.until('ready');
    expect(await host.end('a', { graceMs: 300 })).toMatchObject({ manner: 'killed', survivors: [] });
    expect(watched.text).toContain('SIGTERM');
    expect(runs(pid)).toBe(false);
  });

  it('[H11] also ends children that left its session', async () => {
    const { host, spawn } = await testHost();
    await spawn({ terminalId: 'a', ...fixtureAgent('forks-children') });
    const pids = await childPids(await watchText(host, 'a'));
    expect(pids).toHaveLength(5);
    expect(pids.map(runs)).toEqual(pids.map(() => true));
    expect((await host.processes('a')).map(({ pid }) => pid).sort()).toEqual([...pids].sort());

    const { ended, survivors } = await host.end('a', { graceMs: 200 });
    expect(survivors).toEqual([]);
    expect(ended.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
    expect(pids.filter(runs)).toEqual([]);
  });

  it('finds what one left behind that has already exited', async () => {
    const { host, spawn } = await testHost();
    await spawn({ terminalId: 'a', ...fixtureAgent('forks-children', 'exit') });
    const watched = await watchText(host, 'a');
    const pids = await childPids(watched);
    await watched.exited;
    expect(pids.filter(runs).length).toBeGreaterThan(0);
    expect(await host.end('a', { graceMs: 200 })).toMatchObject({ manner: 'gone', survivors: [] });
    expect(pids.filter(runs)).toEqual([]);
  });

  it('[H11] finds and ends the processes of a killed host', async () => {
    const { host, folder, spawn } = await testHost();
    await spawn({ terminalId: 'a', ...fixtureAgent('forks-children') });
    await spawn({ terminalId: 'b', ...fixtureAgent('ignores-sigterm') });
    await (await watchText(host, 'b')).until('ready');
    const pids = await childPids(await watchText(host, 'a'));
    process.kill(host.pid, 'SIGKILL');
    await new Promise<void>((resolve) => void host.onLost(resolve));

    const { host: next, started, leftovers } = await connectHost({ folder, graceMs: 100 });
    onTestFinished(() => next.close());
    expect(started).toBe(true);
    expect(leftovers.map(({ terminalId }) => terminalId)).toEqual(['a', 'b']);
    const listed = leftovers.flatMap(({ processes }) => processes);
    expect(listed.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids.filter(runs)));

    await endLeftovers(folder, { graceMs: 200 });
    expect(listed.filter(isAlive)).toEqual([]);
    expect(pids.filter(runs)).toEqual([]);
    expect(await findLeftovers(folder)).toEqual([]);
  });
});

async function childPids(watched: Awaited<ReturnType<typeof watchText>>): Promise<number[]> {
  const text = await watched.until(/\{"pids":[^}]+\}/);
  const pids = (JSON.parse(/\{"pids":[^}]+\}/.exec(text)?.[0] ?? '{}') as { pids: number[] }).pids;
  await pause(50); // the last of them still loads its program
  return pids;
}

describe('which processes belong to an agent', () => {
  const proc = (pid: number, changes: Partial<ProcessInfo> = {}): ProcessInfo => ({
    pid,
    started: `t${pid}`,
    parent: 1,
    group: pid,
    session: pid,
    command: 'x',
    ...changes,
  });
  const query = {
    root: { pid: 10, started: 't10' },
    isMarked: ({ pid }: ProcessInfo) => pid === 50,
    isHost: ({ pid }: ProcessInfo) => pid === 40,
    asker: 99,
  };
  const select = (processes: ProcessInfo[]) => selectTree(processes, query).map(({ pid }) => pid);

  it('is identified by session, group, parents and mark', () => {
    const processes = [
      proc(10),
      proc(11, { session: 10 }),
      proc(12, { group: 10 }),
      proc(20, { parent: 11 }),
      proc(21, { parent: 20 }),
      proc(50),
      proc(51, { parent: 50 }),
      proc(60),
      proc(99, { parent: 10 }),
    ];
    expect(select(processes)).toEqual([10, 11, 12, 50, 20, 51, 21]);
  });

  it('leaves out a host that the agent started, which holds its own terminals', () => {
    expect(select([proc(10), proc(40, { parent: 10 }), proc(41, { parent: 40 })])).toEqual([10]);
  });

  it('is empty if another process has the pid now', () => {
    expect(select([proc(10, { started: 'later' }), proc(11, { session: 10, parent: 10 })])).toEqual([]);
  });
});

describe('reading process tables', () => {
  it('knows whose a process is by its environment, of both kinds', () => {
    expect(readBelonging('PATH=/bin\0DEVS_TERMINAL_MARK=i/t/1\0X=1\0')).toEqual({ mark: 'i/t/1', isHost: false });
    expect(readBelonging('sleep 1 PATH=/bin DEVS_TERMINAL_MARK=i/t/1 DEVS_TERMINAL_HOST=1')).toEqual({
      mark: 'i/t/1',
      isHost: true,
    });
    expect(readBelonging('NOT_DEVS_TERMINAL_MARK=x')).toEqual({ mark: undefined, isHost: false });
    expect([matchesMark('i/t/1', 'i/'), matchesMark('i/t/1', 'i/t/1'), matchesMark('i/t/12', 'i/t/1')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('parses any command name', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), (command) => {
        const line = `42 (${command}) S 1 42 42 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 777 0 0`;
        expect(parseProcStat(line)).toEqual({
          pid: 42,
          command,
          state: 'S',
          parent: 1,
          group: 42,
          session: 42,
          ticks: '777',
        });
      }),
    );
    expect(parseProcStat('')).toBeUndefined();
  });

  it('understands ps, for systems without /proc', () => {
    const text = [
      '    1     0     1 Ss   Sat Nov 14 09:01:02 2026 /sbin/launchd',
      '  501     1   501 S+   Sun Nov  1 10:00:00 2026 /Applications/My App/node',
      '  502   501   501 Z    Sun Nov  1 10:00:01 2026 (node)',
      '',
    ].join('\n');
    expect(parsePsList(text)).toEqual([
      { pid: 1, parent: 0, group: 1, session: 0, started: 'Sat Nov 14 09:01:02 2026', command: '/sbin/launchd' },
      {
        pid: 501,
        parent: 1,
        group: 501,
        session: 0,
        started: 'Sun Nov 1 10:00:00 2026',
        command: '/Applications/My App/node',
      },
    ]);
  });
});

import { MACHINES_STREAM, machineJoined, machineLease } from '@devs/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, SHOP, storeRun, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.dispose());

describe('a command over the socket', () => {
  it('asks the supervisor, as the owner', async () => {
    const client = await world.connect();

    expect(client.scope).toBe('owner');
    expect(await client.call('runs.stop', { run: 'abc', now: true })).toEqual({ status: 'stopped' });
    expect(world.supervisor.asked).toEqual([
      { operation: 'runs.stop', input: { run: 'abc', now: true }, by: `process ${process.pid}` },
    ]);
    expect(world.actions).toEqual([
      { by: { scope: 'owner', name: `process ${process.pid}` }, operation: 'runs.stop', about: 'abc' },
    ]);
  });

  it('brings its own environment, which is stored nowhere', async () => {
    const client = await world.connect();
    const caller = { folder: SHOP, environment: { PATH: '/mine', KEY: 'secret' } };
    await client.call('terminals.send', { terminal: 'shop', text: 'hello' });
    await client.call('runs.resume', { run: 'abc', caller });

    expect(world.supervisor.asked.at(-1)?.input).toEqual({ run: 'abc', caller });
    expect(JSON.stringify(world.actions)).not.toContain('secret');
  });

  it('continues after another supervisor has replaced the first', async () => {
    const client = await world.connect();
    await world.restart();

    expect(await client.call('status.get', {})).toMatchObject({ version: '1' });
  });
});

describe('the records of a project', () => {
  it('list runs, and show one with its step and its question', async () => {
    await storeRun(world.opened, 'abc');
    const client = await world.connect();

    const { runs } = await client.call('runs.list', {});
    expect(runs).toEqual([
      expect.objectContaining({
        id: 'abc',
        project: SHOP,
        state: 'needs you',
        request: 'Add a cart',
        terminal: 'shop',
      }),
    ]);
    expect(await client.call('runs.get', { run: 'abc' })).toMatchObject({
      position: 4,
      step: 'plan (step 1 of 1)',
      terminals: ['shop'],
      question: { id: 'q-abc', question: 'Euro or Dollar?' },
      workflowPosition: { status: 'running', step: 'plan' },
    });
    expect(await client.call('runs.report', { run: 'abc' })).toMatchObject({ outcome: { kind: 'escalated' } });
  });

  it('take the answer of a question once', async () => {
    await storeRun(world.opened, 'abc');
    const client = await world.connect();
    await world.opened.store.leases.acquire({ name: 'run:abc', by: 'somebody', leaseMs: 60_000 });

    expect(await client.call('questions.list', {})).toMatchObject({ questions: [{ id: 'q-abc', run: 'abc' }] });
    await client.call('runs.answer', { run: 'abc', answer: 'Euro' });
    await expect(client.call('questions.answer', { question: 'q-abc', answer: 'Dollar' })).rejects.toMatchObject({
      code: 'conflict',
    });
    const events = await world.opened.store.log.read({ stream: 'run:abc' });
    expect(events.at(-1)).toMatchObject({ type: 'escalation.answered', data: { answer: 'Euro' } });
  });

  it('give the log in pages that fit together', async () => {
    await storeRun(world.opened, 'abc');
    await storeRun(world.opened, 'def');
    const client = await world.connect();
    const positions = ({ events }: { events: readonly { position: number }[] }) =>
      events.map((event) => event.position);

    const first = await client.call('log.read', { project: SHOP, after: 0, limit: 3 });
    const second = await client.call('log.read', { project: SHOP, after: first.position, limit: 100 });
    expect([...positions(first), ...positions(second)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(second).toMatchObject({ position: 8, end: 8 });
    expect(positions(await client.call('log.read', { project: SHOP, limit: 2 }))).toEqual([7, 8]);
    expect(positions(await client.call('log.read', { project: SHOP, before: 7, limit: 2 }))).toEqual([5, 6]);
    expect(positions(await client.call('log.read', { project: SHOP, stream: 'run:def', after: 0 }))).toEqual([
      5, 6, 7, 8,
    ]);
    expect(positions(await client.call('runs.events', { run: 'def', after: 5 }))).toEqual([6, 7, 8]);
  });

  it('let tasks be added and changed', async () => {
    const client = await world.connect();
    await client.call('tasks.add', { project: SHOP, tasks: [{ id: 'login', intent: 'Fix the login' }] });
    await client.call('tasks.change', { project: SHOP, task: 'login', change: { to: 'blocked', reason: 'no key' } });

    expect(await client.call('tasks.list', { project: SHOP })).toMatchObject({
      total: 1,
      tasks: [{ id: 'login', status: 'blocked', reason: 'no key' }],
    });
    expect(await client.call('projects.list', {})).toMatchObject({ projects: [{ root: SHOP, position: 2 }] });
  });

  it('name the machines of the fleet, and what none of them can begin', async () => {
    const { log, tasks, leases } = world.opened.store;
    const ant = { name: 'ant', slots: 2, labels: ['gpu'], agents: ['claude'], version: '1' };
    await log.append(MACHINES_STREAM, 0, [machineJoined(ant), machineJoined({ ...ant, name: 'bee' })]);
    await leases.acquire({ name: machineLease('ant'), by: 'me', leaseMs: 60_000 });
    await tasks.add([{ id: 'build', intent: 'Build it', needs: ['mac'] }]);
    const client = await world.connect();
    const { machines, unmet } = await client.call('machines.list', { project: SHOP });
    expect(machines.map(({ name, state, slots, runs }) => [name, state, slots, runs])).toEqual([
      ['ant', 'serving', 2, []],
      ['bee', 'lost', 2, []],
    ]);
    expect(unmet).toEqual([{ task: 'build', needs: ['mac'] }]);
  });

  it('are not looked for in folders that devs does not know', async () => {
    const client = await world.connect();

    await expect(client.call('log.read', { project: '/etc' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('name what is missing', async () => {
    const client = await world.connect();

    await expect(client.call('runs.get', { run: 'abc' })).rejects.toThrow('there is no run abc');
    await expect(client.call('tasks.get', { project: SHOP, task: 'x' })).rejects.toThrow('there is no task x');
    await expect(client.call('terminals.get', { terminal: 'x' })).rejects.toThrow('there is no terminal x');
  });
});

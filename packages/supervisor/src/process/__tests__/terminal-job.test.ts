import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TerminalOrder } from '../terminal-port.js';
import { openSupervisorWorld } from './supervisor-world.js';

async function openScene() {
  const opened = await openSupervisorWorld();
  const { here, caller } = opened;
  const order = (changes: Partial<TerminalOrder> = {}): TerminalOrder => ({
    token: here.parts.newId(),
    name: 'shop',
    agent: 'fixture',
    folder: here.world.project,
    store: { kind: 'project' },
    subject: { kind: 'start', args: ['--theirs', 'kept'] },
    ...changes,
  });
  const takeUp = (changes: Partial<TerminalOrder> = {}) => order({ subject: { kind: 'take-up' }, ...changes });
  return { ...opened, order, takeUp, caller };
}

describe('a terminal of the user', () => {
  it('is started once for each order, listed, told a prompt and stopped', async () => {
    const { here, supervisor, order, caller, vault } = await openScene();
    const { terminals, status } = supervisor('first');
    const asked = order();
    const [one, two] = await Promise.all([terminals.start(asked, caller), terminals.start(asked, caller)]);
    expect([one, two]).toEqual([
      { status: 'started', name: 'shop', notes: [] },
      { status: 'started', name: 'shop', notes: [] },
    ]);
    await here.world.until('its start', () => here.world.starts().length > 0);
    expect(await terminals.start(order(), caller)).toEqual({ status: 'taken' });
    expect((await status()).terminals).toEqual([{ name: 'shop', folder: here.world.project }]);

    expect(await terminals.send('shop', 'Hello')).toMatchObject({ status: 'done', result: { kind: 'delivered' } });
    expect(await terminals.send('other', 'Hello')).toEqual({ status: 'not-supervised' });
    expect(await terminals.stop('shop')).toEqual({ status: 'done', result: 'stopped' });
    expect(await terminals.list()).toEqual([]);
    expect(await terminals.wait('shop', { seen: -1 })).toMatchObject({ isOver: true });
    expect([here.world.starts().length, here.world.running()]).toEqual([1, []]);
    expect(await vault.list()).toEqual([]);
    expect(await terminals.start(order({ subject: { kind: 'take-up' } }), caller)).toEqual({ status: 'not-running' });
  });

  it('[H16] is held by the next supervisor, which knows whether its user is there', async () => {
    const { here, supervisor, order, caller, vault } = await openScene();
    const first = supervisor('first');
    await first.terminals.start(order({ window: 'w' }), caller);
    await here.world.until('its start', () => here.world.running().length === 1);
    await first.shutdown('pause');
    expect(here.world.running()).toHaveLength(1);
    const [kept] = await vault.list();
    expect(kept).toMatchObject({ kind: 'terminal', isAttended: true, order: { subject: { kind: 'take-up' } } });

    const second = supervisor('second');
    await second.adopt();
    await here.world.until('its status', async () => (await second.terminals.list())[0]?.status !== undefined);
    expect((await second.terminals.list())[0]).toMatchObject({ name: 'shop', status: { isAttended: true } });
    await second.terminals.attend('shop', { window: 'w', typed: false, seen: -1 });
    await second.terminals.leave('shop', 'w');
    expect((await second.terminals.list())[0]).toMatchObject({ status: { isAttended: false } });
    await here.world.until('its record', async () => {
      const [entry] = await vault.list();
      return entry?.kind === 'terminal' && !entry.isAttended;
    });
    expect(here.world.starts()).toHaveLength(1);
    await second.terminals.stop('shop');
    await here.world.until('its end', () => !second.isBusy);
  });

  it.each([
    ['with its user away', undefined],
    ['with its user in front of it', 'w'],
  ])('[H16] is continued where the host died with its supervisor, %s', async (_, window) => {
    const { here, supervisor, order, caller, forgetKeys } = await openScene();
    const first = supervisor('first');
    await first.terminals.start(order(window === undefined ? {} : { window }), caller);
    await here.world.until('its start', () => here.world.running().length === 1);
    await first.shutdown('leave');
    await here.world.killHost();
    forgetKeys();

    const second = supervisor('second');
    await second.adopt();

    await here.world.until('its agent', () => here.world.starts().length === 2 && here.world.running().length === 1);
    expect((await second.status()).terminals).toMatchObject([{ name: 'shop' }]);
    await second.terminals.stop('shop');
    await here.world.until('its end', () => !second.isBusy);
  });

  it('is not continued without keys that only the host remembered, and says which', async () => {
    const { here, supervisor, order, caller, vault, forgetKeys } = await openScene();
    const first = supervisor('first');
    const environment = { SHOP_API_KEY: 'shop-9f8e7d6c5b4a39281716' };
    await first.terminals.start(order(), { ...caller, environment });
    await here.world.until('its start', () => here.world.running().length === 1);
    await first.shutdown('leave');
    await here.world.killHost();
    forgetKeys();

    const second = supervisor('second', {}, { patienceMs: 0 });
    await second.adopt();
    await here.world.until('its refusal', () => !second.isBusy);

    const events = await here.world.store.log.read({ stream: 'terminal:shop', limit: 1_000 });
    expect(events.findLast(({ type }) => type === 'escalation.raised')?.data.why).toContain('SHOP_API_KEY');
    expect([here.world.starts().length, await vault.list()]).toEqual([1, []]);

    const third = supervisor('third');
    const resumed = order({ subject: { kind: 'resume', args: ['--theirs', 'kept'] } });
    expect(await third.terminals.start(resumed, { ...caller, environment })).toMatchObject({ status: 'started' });
    await third.terminals.stop('shop');
    await here.world.until('its end', () => !third.isBusy);
  });

  it('does not keep its arguments on the disk, where a secret may be among them, and tells them the next supervisor', async () => {
    const { supervisor, order, caller, vault, folder, here } = await openScene();
    const first = supervisor('first');
    const args = ['--key', 'kept-out-9f8e7d6c5b4a39281716'];
    await first.terminals.start(order({ subject: { kind: 'start', args } }), caller);
    const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(written.join('')).toContain('shop');
    expect(written.join('')).not.toContain('kept-out');
    expect((await vault.list())[0]?.order).toMatchObject({ subject: { kind: 'take-up', args } });
    await first.terminals.stop('shop');
    await here.world.until('its end', async () => (await first.terminals.list()).length === 0);
  });

  it('is refused where its agent cannot be started, and leaves nothing', async () => {
    const { here, supervisor, order, caller, vault } = await openScene();
    const own = supervisor(
      'first',
      {},
      { terminal: { openHost: () => Promise.reject(new Error('no host can be started')) } },
    );
    expect(await own.terminals.start(order(), caller)).toEqual({
      status: 'refused',
      reason: 'no host can be started',
    });
    await here.world.until('its end', () => !own.isBusy);
    expect(await vault.list()).toEqual([]);
  });

  it('tells the program of its user what happens while no window shows it', async () => {
    const { here, supervisor, order, caller, told } = await openScene();
    const { terminals } = supervisor('first');
    await terminals.start(order(), caller);
    await terminals.stop('shop');
    await here.world.until('its end', () => told.some(({ kind }) => kind === 'done'));
    await terminals.start(order({ window: 'w' }), caller);
    const before = told.length;
    await terminals.stop('shop');
    await here.world.until('its end', async () => (await terminals.list()).length === 0);
    expect(told.slice(before)).toEqual([]);
  });
});

describe('the terminal of a run', () => {
  it('is listed and attended as others are, and its run decides about it', async () => {
    const { here, supervisor, runOrder, caller, takeUp } = await openScene();
    const own = supervisor('first');
    const started = await own.runs.start(runOrder('@wait 60000'), caller);
    if (started.status !== 'started') throw new Error(started.status);
    const { run } = started;
    await here.world.until('its terminal', async () => (await own.terminals.list()).length === 1);
    expect((await own.terminals.list())[0]).toMatchObject({ name: run, run });
    expect(await own.terminals.send(run, 'Hello')).toEqual({ status: 'of-run', run });
    expect(await own.terminals.start(takeUp({ name: run }), caller)).toMatchObject({ status: 'started' });
    await own.terminals.attend(run, { window: 'w', typed: true, seen: -1 });
    expect((await own.terminals.list())[0]?.status?.isAttended).toBe(true);
    await own.terminals.leave(run, 'w');
    expect((await own.terminals.list())[0]?.status?.isAttended).toBe(false);
    await own.terminals.stop(run);
    await here.world.until('its end', () => !own.isBusy);
  });
});

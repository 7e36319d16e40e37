import { StoreUnavailableError } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { openSupervisorWorld } from './supervisor-world.js';

/** A run with its agent at work, left by the supervisor that began it. */
async function openLeftRun(description = '@wait 60000') {
  const opened = await openSupervisorWorld();
  const { here, supervisor, runOrder, caller } = opened;
  const first = supervisor('first');
  const started = await first.runs.start(runOrder(description), caller);
  if (started.status !== 'started') throw new Error(started.status);
  await here.world.until('the first step', () => here.steps().length > 0);
  await first.shutdown('leave');
  const stream = `run:${started.run}`;
  expect((await opened.vault.list())[0]?.order).toMatchObject({ subject: { runId: started.run } });
  expect(JSON.stringify(await opened.vault.list())).not.toContain('Write the parser'); // that is in its records
  return { ...opened, run: started.run, stream };
}

describe('a run that a supervisor adopts', () => {
  it('is not continued where it was stopped before its supervisor died, and its agent is ended', async () => {
    const { here, supervisor, vault, run, stream } = await openLeftRun();
    const { log } = here.world.store;
    const paused = { type: 'run.paused', data: { why: 'the user stopped it' } };
    await log.append(stream, await log.version(stream), [paused]);
    const second = supervisor('second');
    await second.adopt();
    await here.world.until('its end', () => !second.isBusy);
    expect(here.world.running()).toEqual([]);
    expect(await second.runs.wait(run, { seen: 0 })).toMatchObject({ end: { status: 'paused' } });
    expect(await vault.list()).toEqual([]);
    expect(here.world.starts()).toHaveLength(1);
  });

  it('is continued where it was resumed after it was stopped', async () => {
    const { here, supervisor, vault, run, stream } = await openLeftRun('@wait-once 60000 @write a.txt');
    const { log } = here.world.store;
    const paused = { type: 'run.paused', data: { why: 'the user stopped it' } };
    await log.append(stream, await log.version(stream), [paused]);
    const [kept] = await vault.list();
    if (kept?.kind !== 'run') throw new Error('it is not kept');
    const { missing: _, ...entrusted } = kept;
    await vault.keep({ ...entrusted, after: await log.version(stream) });
    const second = supervisor('second');
    await second.adopt();
    await here.world.until('its status', async () => (await second.runs.list())[0]?.status?.state === 'running');
    await second.runs.stop(run, { now: true });
    await here.world.until('its end', () => !second.isBusy);
  });

  it('is kept for the next supervisor where it cannot be continued, and its agent is ended', async () => {
    const { here, supervisor, vault, run } = await openLeftRun();
    const { store } = here.parts;
    const broken = {
      ...store,
      leases: { ...store.leases, acquire: () => Promise.reject(new Error('the disk is broken')) },
    };
    const second = supervisor('second', { store: broken });
    await second.adopt();
    await here.world.until('its end', () => !second.isBusy);
    const outcome = { status: 'refused', reason: 'the disk is broken' };
    expect(await second.runs.wait(run, { seen: 0 })).toMatchObject({ isOver: true, outcome });
    expect(here.world.running()).toEqual([]);
    expect(await vault.list()).toMatchObject([{ id: run }]);
  });

  it('is kept where not even its store can be opened, and its agent is ended', async () => {
    const { here, supervisor, vault, run } = await openLeftRun();
    const open = () => Promise.reject(new Error('the file is not a database'));
    const second = supervisor('second', {}, { workshop: { open } });
    await second.adopt();
    await here.world.until('its end', () => !second.isBusy);
    expect(here.world.running()).toEqual([]);
    expect(await vault.list()).toMatchObject([{ id: run }]);
  });

  it('is continued after an outage of the store', async () => {
    const { here, supervisor, run } = await openLeftRun();
    const { store } = here.parts;
    let outages = 1;
    const acquire: typeof store.leases.acquire = async (request) => {
      if (outages-- > 0) throw new StoreUnavailableError('its file is held');
      return store.leases.acquire(request);
    };
    const second = supervisor('second', { store: { ...store, leases: { ...store.leases, acquire } } });
    await second.adopt();
    await here.world.until('its status', async () => (await second.runs.list())[0]?.status?.state === 'running');
    expect(here.world.starts()).toHaveLength(1);
    await second.runs.stop(run, { now: true });
    await here.world.until('its end', () => !second.isBusy);
  });

  it.each([
    ['by itself where the address of its store is no secret', 'redis://host:6379'],
    ['by whoever knows the address of its store', 'redis://:pw-four@host:6379'],
  ])('is continued %s, after supervisor and host were killed', async (_, url) => {
    const { here, supervisor, vault, forgetKeys, addresses, caller, run } = await openLeftRun('@wait-once 60000');
    const [kept] = await vault.list();
    if (kept?.kind !== 'run') throw new Error('it is not kept');
    const { missing: _missing, ...entrusted } = kept;
    await vault.keep({ ...entrusted, order: { ...entrusted.order, store: { kind: 'redis', url } } });
    forgetKeys();
    const second = supervisor('second');
    await second.adopt();
    if (url.includes('pw-four')) await second.runs.provide(run, { ...caller, environment: { DEVS_STORE: url } });
    await here.world.until('its status', async () => (await second.runs.list())[0]?.status?.state === 'running');
    expect(addresses.at(-1)).toEqual({ kind: 'redis', url });
    await second.runs.stop(run, { now: true });
    await here.world.until('its end', () => !second.isBusy);
  });

  it('is merged where it ended before its supervisor could do that', async () => {
    const { here, supervisor, vault, merged, run, stream } = await openLeftRun();
    const [kept] = await vault.list();
    if (kept?.kind !== 'run') throw new Error('it is not kept');
    const { missing: _, ...entrusted } = kept;
    await vault.keep({ ...entrusted, order: { ...entrusted.order, merge: true } });
    const { log } = here.world.store;
    const finished = { type: 'run.finished', data: { outcome: 'done', detail: 'all of it' } };
    await log.append(stream, await log.version(stream), [finished]);
    const second = supervisor('second');
    await second.adopt();
    await here.world.until('its end', () => !second.isBusy);
    expect(merged).toEqual([run]);
    expect(await second.runs.wait(run, { seen: 0 })).toMatchObject({ end: { outcome: 'done' } });
  });

  it('is begun under its name where its supervisor died before anything of it was stored', async () => {
    const { here, supervisor, vault, runOrder, caller } = await openSupervisorWorld();
    const order = runOrder('@write a.txt');
    const subject = { ...order.subject, runId: 'run-ab12' };
    await vault.keep({ id: 'run-ab12', kind: 'run', order: { ...order, subject }, caller, after: 0 });
    const second = supervisor('second');
    await second.adopt();
    await here.world.until('its end', () => !second.isBusy);
    expect(await second.runs.wait('run-ab12', { seen: 0 })).toMatchObject({ end: { outcome: 'done' } });
  });
});

import { createManualClock } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identifyProcess } from '../../processes/process-identity.js';
import { fixtureAgent, openTestHost } from '../../testing/index.js';
import { createPool } from '../create-pool.js';
import { createLanes } from '../lanes.js';

async function testPool(limit = 3) {
  const test = await openTestHost();
  const clock = createManualClock();
  const pool = createPool({ host: test.host, clock, limit });
  onTestFinished(async () => {
    await pool.close();
    await test.dispose();
  });
  const request = (terminalId: string, agent = fixtureAgent('answers')) => ({
    terminalId,
    ...agent,
    cwd: test.folder,
    env: { PATH: process.env.PATH ?? '' },
    columns: 80,
    rows: 24,
  });
  const idle = (terminalId: string) =>
    pool.observe(terminalId, { type: 'signal.seen', at: clock.now(), source: 'title', says: 'idle', detail: '✳' });
  const activities = () => Object.fromEntries(pool.list().map((entry) => [entry.terminalId, entry.state.activity]));
  return { ...test, pool, clock, request, idle, activities };
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('the pool', () => {
  it('starts no more than its limit, even when all are asked for at once', async () => {
    const { pool, request } = await testPool(3);
    const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => pool.spawn(request(name))));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['refused', 'refused', 'spawned', 'spawned', 'spawned']);
    const [first] = pool.list();
    await pool.kill(first?.terminalId ?? '');
    await until(() => pool.list().some(({ state }) => state.activity === 'exited'));
    expect(await pool.spawn(request('f'))).toMatchObject({ kind: 'spawned' });
  });

  it('never starts one terminal twice', async () => {
    const { pool, request, host } = await testPool();
    const outcomes = await Promise.all([1, 2, 3].map(() => pool.spawn(request('a'))));
    expect(outcomes.filter(({ kind }) => kind === 'spawned')).toHaveLength(1);
    expect(outcomes.filter((outcome) => 'refusal' in outcome && outcome.refusal === 'already-running')).toHaveLength(2);
    expect(await host.list()).toHaveLength(1);
  });

  it('knows what each does, and says why', async () => {
    const { pool, request, clock, idle } = await testPool();
    await pool.spawn(request('a'));
    expect(pool.list()[0]?.state.activity).toBe('starting');
    idle('a');
    expect(pool.list()[0]?.state).toMatchObject({ activity: 'idle', evidence: { source: 'title', detail: '✳' } });
    pool.observe('a', { type: 'background.counted', at: clock.now(), subAgents: 1, shells: 0 });
    expect(pool.list()[0]?.state.activity).toBe('busy');
    await pool.kill('a');
    await until(() => pool.list()[0]?.state.activity === 'exited');
    expect(pool.list()[0]?.state.evidence.detail).toMatch(/signal 15|code/);
    await pool.forget('a');
    expect(pool.list()).toEqual([]);
  });

  it('respawns at the limit: the old one is gone before the new one is there', async () => {
    const { pool, request, host } = await testPool(1);
    await pool.spawn(request('a', fixtureAgent('ignores-sigterm')));
    const before = pool.list()[0]?.hosted.pid ?? 0;
    pool.mark('a', { renewing: true });
    const outcome = await pool.respawn('a', fixtureAgent('answers'));
    expect(outcome).toMatchObject({ kind: 'spawned' });
    expect(identifyProcess(before)).toBeUndefined();
    expect(await host.list()).toHaveLength(1);
    expect(pool.list()).toMatchObject([{ terminalId: 'a', renewing: true, state: { activity: 'starting' } }]);
    expect(pool.list()[0]?.hosted.pid).not.toBe(before);
  });

  it('scales down idle terminals, and skips renewing, attended, busy and waiting ones', async () => {
    const { pool, request, clock, idle, activities } = await testPool(5);
    const names = ['renewing', 'attended', 'busy', 'spare', 'waiting'];
    for (const name of names) {
      await pool.spawn(request(name));
      idle(name);
    }
    pool.mark('renewing', { renewing: true });
    pool.mark('attended', { attended: true });
    const signal = (says: 'busy' | 'waiting') =>
      ({ type: 'signal.seen', at: clock.now() + 1, source: 'hook', says, detail: 'x' }) as const;
    pool.observe('busy', signal('busy'));
    pool.observe('waiting', signal('waiting'));
    clock.advance(60_000);
    expect(await pool.scaleDown({ keep: 0, idleLongerThanMs: 30_000 })).toEqual(['spare']);
    await until(() => activities().spare === 'exited');
    expect(activities()).toEqual({
      renewing: 'idle',
      attended: 'idle',
      busy: 'busy',
      spare: 'exited',
      waiting: 'waiting',
    });
  });

  it('[H16] adopts what another one had started', async () => {
    const { pool, request, connectAgain, clock } = await testPool();
    await pool.spawn(request('a'));
    await until(() => pool.screen('a')?.screen.text().startsWith('>') ?? false);
    await pool.close();

    const second = createPool({ host: await connectAgain(), clock, limit: 3 });
    onTestFinished(() => second.close());
    const adopted = await second.adopt();
    expect(adopted).toMatchObject([{ terminalId: 'a', state: { activity: 'starting' } }]);
    expect(second.screen('a')?.screen.view()).toMatchObject({ lines: ['> '], bracketedPaste: true });
    expect(await second.write('a', 'hello\r')).toBe('written');
    await until(() => second.screen('a')?.screen.text().includes('You said: hello') ?? false);
    await expect(second.respawn('a')).rejects.toThrow(/was adopted/);
  });
});

describe('lanes', () => {
  it('run the jobs of one key in turn, also after a failure', async () => {
    const inLane = createLanes<string>();
    const done: string[] = [];
    const job = (name: string, ms: number) => async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      done.push(name);
      if (name === 'fails') throw new Error('no');
    };
    const jobs = [inLane('a', job('slow', 40)), inLane('a', job('fails', 0)), inLane('a', job('last', 0))];
    const other = inLane('b', job('other', 5));
    await Promise.allSettled([...jobs, other]);
    expect(done).toEqual(['other', 'slow', 'fails', 'last']);
  });
});

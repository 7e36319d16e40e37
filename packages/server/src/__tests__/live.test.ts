import type { Frozen, ServerMessage, Subscription } from '@devs/api';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { createScreen } from '@devs/terminals';
import { openTestHost, type TestHost } from '@devs/terminals/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SupervisorClient } from '../client/connect-supervisor.js';
import { createFakeSupervisor, type FakeSupervisor } from './fake-supervisor.js';
import { openWorld, SHOP, storeRun, type World } from './world.js';

let world: World;
let supervisor: FakeSupervisor;
let host: TestHost;
beforeEach(async () => {
  host = await openTestHost();
  supervisor = createFakeSupervisor({ terminals: ['shop'], runs: { shop: 'abc' }, host: async () => host.host });
  world = await openWorld({ supervisor });
});
afterEach(async () => {
  await world.dispose();
  await host.dispose();
});

/** What one subscriber hears. */
function listen(client: SupervisorClient, subscription: Subscription) {
  const messages: Frozen<ServerMessage>[] = [];
  const bytes: Buffer[] = [];
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((check) => void check());
  let offset = 0;
  let shown: number | undefined;
  const live = client.live();
  const subscribed = live.subscribe(subscription, {
    onMessage(message) {
      messages.push(message);
      if (message.type === 'snapshot') shown = message.offset;
      wake();
    },
    onBytes(part) {
      bytes.push(Buffer.from(part));
      offset = shown ?? offset + part.length;
      shown = undefined;
      wake();
    },
  });
  return {
    messages,
    bytes,
    live,
    subscribed,
    /** Says that everything that came is drawn. */
    acknowledge: () => subscribed.ack(offset),
    of: <Type extends ServerMessage['type']>(type: Type) =>
      messages.filter((message): message is Extract<Frozen<ServerMessage>, { type: Type }> => message.type === type),
    /** Resolves when this is so. */
    until: (isSo: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const check = () => {
          if (!isSo()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

const positionsIn = (messages: readonly Frozen<ServerMessage>[]) =>
  messages.flatMap((message) => (message.type === 'events' ? message.events.map(({ position }) => position) : []));

describe('a log', () => {
  it('is replayed from a position, and continues with new events', async () => {
    await storeRun(world.opened, 'abc');
    const client = await world.connect();
    const heard = listen(client, { to: 'log', project: SHOP, after: 2 });
    await heard.until(() => heard.of('caught-up').length === 1);
    await storeRun(world.opened, 'def');
    await heard.until(() => positionsIn(heard.messages).length === 6);

    expect(positionsIn(heard.messages)).toEqual([3, 4, 5, 6, 7, 8]);
    expect(heard.of('caught-up')[0]).toMatchObject({ position: 4 });
    heard.live.close();
  });

  it('is filtered by kind and id, with the position it was read up to', async () => {
    await storeRun(world.opened, 'abc');
    await storeRun(world.opened, 'def');
    const client = await world.connect();
    const heard = listen(client, { to: 'log', project: SHOP, after: 0, only: [{ kind: 'run', id: 'abc' }] });
    await heard.until(() => heard.of('caught-up').length === 1);

    expect(positionsIn(heard.messages)).toEqual([1, 2, 3, 4]);
    expect(heard.of('caught-up')[0]).toMatchObject({ position: 8 });
    heard.live.close();
  });

  it('has no gap and no repetition, however often the supervisor is replaced', async () => {
    const random = createRandom(seed());
    const client = await world.connect();
    const heard = listen(client, { to: 'log', project: SHOP, after: 0 });
    let stored = 0;
    for (let round = 0; round < rounds(6); round++) {
      for (let more = random.below(4); more >= 0; more--) {
        await storeRun(world.opened, `r${stored}`);
        stored += 1;
      }
      if (random.chance(0.6)) await heard.until(() => positionsIn(heard.messages).length === stored * 4);
      await world.restart();
      await client.call('status.get', {}); // its capability is a new one
    }
    await heard.until(() => positionsIn(heard.messages).length >= stored * 4);

    expect(positionsIn(heard.messages)).toEqual(Array.from({ length: stored * 4 }, (_, index) => index + 1));
    heard.live.close();
  });

  it('that is another one than the caller knew is refused', async () => {
    const client = await world.connect();
    const heard = listen(client, { to: 'log', project: SHOP, after: 99 });
    await heard.until(() => heard.of('ended').length === 1);

    expect(heard.of('ended')[0]?.problem).toMatchObject({ code: 'conflict' });
    heard.live.close();
  });
});

describe('notices', () => {
  it('have the names and fields of seed 002', async () => {
    const client = await world.connect();
    const heard = listen(client, { to: 'notices' });
    await heard.until(() => heard.of('subscribed').length === 1);
    const about = { terminal: 'shop', renewals: 2, renewsItself: true };
    const started = { kind: 'renewal-started', cause: 'clean exit', refreshCount: 3 } as const;
    const completed = {
      kind: 'renewal-completed',
      refreshCount: 3,
      hadTask: true,
      handoffLength: 900,
      grants: [],
      alsoEnded: [],
    } as const;
    supervisor.notify({ ...about, notice: { kind: 'pressure', mark: 'soft', pressure: 0.51 } });
    supervisor.notify({ ...about, notice: started });
    supervisor.notify({ ...about, notice: completed });
    supervisor.notify({ ...about, notice: { kind: 'renewal-failed', error: 'no disk' } });
    supervisor.notify({ ...about, notice: { kind: 'waiting', detail: 'a permission' } });
    supervisor.change({ kind: 'terminal', id: 'shop' });
    await heard.until(() => heard.of('notice').length === 7);

    expect(heard.of('notice').map(({ name, data }) => [name, data])).toEqual([
      [
        'claude-terminal:context-warning',
        { terminalId: 'shop', pattern: 'soft mark: 51 % of the context', handoffCount: 2, autoHandoff: true },
      ],
      ['claude-terminal:context-refresh-started', { terminalId: 'shop', refreshCount: 3 }],
      [
        'claude-terminal:context-refresh-completed',
        { terminalId: 'shop', refreshCount: 3, hadTask: true, handoffLength: 900 },
      ],
      ['claude-terminal:handoff', { terminalId: 'shop', handoffCount: 3, freshRestart: true }],
      ['claude-terminal:context-refresh-failed', { terminalId: 'shop', error: 'no disk' }],
      ['terminal:waiting', { terminal: 'shop', detail: 'a permission' }],
      ['changed', { kind: 'terminal', id: 'shop' }],
    ]);
    heard.live.close();
  });
});

describe('a terminal', () => {
  /** Echoes each line, and prints more on request. */
  const ECHO = `process.stdin.on('data', (text) => {
    const [, lines] = /print (\\d+)/.exec(text) ?? [];
    for (let line = 0; line < Number(lines ?? 0); line++) process.stdout.write(String(line).padEnd(79, '.') + '\\n');
    if (lines !== undefined) process.stdout.write('printed\\n');
  }); process.stdout.write('ready\\n');`;

  beforeEach(async () => {
    await host.spawn({ terminalId: 'shop', file: process.execPath, args: ['-e', ECHO] });
  });

  it('is shown as a snapshot, then as live output, and accepts typed input', async () => {
    const client = await world.connect();
    const heard = listen(client, { to: 'terminal', terminal: 'shop', input: true });
    await heard.until(() => Buffer.concat(heard.bytes).includes('ready'));
    heard.subscribed.type(Buffer.from('print 3\r'));
    await heard.until(() => Buffer.concat(heard.bytes).includes('printed'));

    expect(heard.of('snapshot')).toEqual([expect.objectContaining({ columns: 80, rows: 24, skipped: false })]);
    expect(supervisor.users).toContainEqual({ terminal: 'shop', attached: true });
    expect(supervisor.users).toContainEqual({ terminal: 'shop', typed: true });
    heard.live.close();
  });

  it('is attended while a viewer with a keyboard has it open', async () => {
    const client = await world.connect();
    const other = await world.connect();
    const [first, second] = [client, other].map((who) =>
      listen(who, { to: 'terminal', terminal: 'shop', input: true }),
    );
    await first?.until(() => first.of('snapshot').length === 1);
    await second?.until(() => second.of('snapshot').length === 1);
    const left = () => supervisor.users.filter(({ attached }) => attached === false).length;
    first?.subscribed.close();
    second?.subscribed.close();
    while (left() === 0) await new Promise((resolve) => setTimeout(resolve, 5));

    expect(left()).toBe(1);
    for (const each of [first, second]) each?.live.close();
  });

  it('does not wait for a viewer that draws slowly: that one is shown how it is by then', async () => {
    const client = await world.connect();
    const slow = listen(client, { to: 'terminal', terminal: 'shop' });
    const quick = listen(client, { to: 'terminal', terminal: 'shop', input: true });
    await quick.until(() => quick.bytes.length > 0 && slow.bytes.length > 0);
    quick.subscribed.type(Buffer.from('print 60000\r'));
    await quick.until(() => {
      quick.acknowledge();
      return Buffer.concat(quick.bytes.slice(-3)).includes('printed');
    });

    expect(Buffer.concat(slow.bytes).length).toBeLessThan(3 << 20); // of nearly 5 MB
    await slow.until(() => {
      slow.acknowledge(); // including output still on its way
      return slow.of('snapshot').length >= 2;
    });
    expect(slow.of('snapshot')[1]).toMatchObject({ skipped: true });
    await slow.until(() => {
      slow.acknowledge(); // on a busy machine the snapshot is older than the end, by more than a viewer may be behind
      return Buffer.concat(slow.bytes.slice(-2)).includes('printed');
    });
    quick.live.close();
    slow.live.close();
  });

  it('looks to a late viewer as it does to the host', async () => {
    const client = await world.connect();
    await client.call('terminals.keys', { terminal: 'shop', keys: 'print 40\r' });
    const early = listen(client, { to: 'terminal', terminal: 'shop' });
    await early.until(() => Buffer.concat(early.bytes).includes('printed'));
    const late = listen(client, { to: 'terminal', terminal: 'shop' });
    await late.until(() => late.bytes.length > 0);
    const screen = createScreen({ columns: 80, rows: 24 });
    await screen.write(Buffer.concat(late.bytes));

    expect(screen.view().rows).toEqual((await client.call('terminals.screen', { terminal: 'shop' })).rows);
    screen.dispose();
    early.live.close();
    late.live.close();
  });

  it('is sent as changed rows to viewers that have not opened it', async () => {
    const client = await world.connect();
    const heard = listen(client, { to: 'screens', terminals: ['shop', 'nobody'] });
    await heard.until(() => heard.of('screen').some(({ rows }) => Object.values(rows).includes('ready')));
    await client.call('terminals.keys', { terminal: 'shop', keys: 'print 1\r' });
    await heard.until(() => heard.of('screen').some(({ rows }) => Object.values(rows).includes('printed')));

    expect(heard.of('screen').at(-1)?.rows).not.toHaveProperty('0');
    heard.live.close();
  });

  it('that is gone is said to be', async () => {
    const client = await world.connect();
    const nobody = listen(client, { to: 'terminal', terminal: 'nobody' });
    const heard = listen(client, { to: 'terminal', terminal: 'shop' });
    await heard.until(() => heard.of('snapshot').length === 1);
    await host.host.end('shop', { graceMs: 0 });
    await heard.until(() => heard.of('exited').length === 1);
    await nobody.until(() => nobody.of('ended').length === 1);

    expect(nobody.of('ended')[0]?.problem).toMatchObject({ message: expect.stringContaining('nobody') });
    heard.live.close();
    nobody.live.close();
  });
});

describe("an agent's capability", () => {
  it('watches its own terminal and run, and types nothing', async () => {
    await host.spawn({
      terminalId: 'shop',
      file: process.execPath,
      args: ['-e', "console.log('mine'); setInterval(() => {}, 1e6)"],
    });
    await storeRun(world.opened, 'abc');
    world.seat = { kind: 'inside', terminalId: 'shop' };
    const client = await world.connect();
    const own = listen(client, { to: 'terminal', terminal: 'shop' });
    const run = listen(client, { to: 'log', project: SHOP, after: 0, only: [{ kind: 'run', id: 'abc' }] });
    const refused = [
      listen(client, { to: 'terminal', terminal: 'shop', input: true }),
      listen(client, { to: 'terminal', terminal: 'bank' }),
      listen(client, { to: 'log', project: SHOP, after: 0 }),
      listen(client, { to: 'log', project: SHOP, after: 0, only: [{ kind: 'run' }] }),
      listen(client, { to: 'notices' }),
      listen(client, { to: 'screens', terminals: ['bank'] }),
    ];
    await own.until(() => Buffer.concat(own.bytes).includes('mine'));
    await run.until(() => run.of('caught-up').length === 1);
    for (const each of refused) {
      await each.until(() => each.of('ended').length === 1);
      expect(each.of('ended')[0]?.problem).toMatchObject({ code: 'not-allowed' });
    }
    for (const each of [own, run, ...refused]) each.live.close();
  });
});

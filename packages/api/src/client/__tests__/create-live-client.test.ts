import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { type ClientMessage, parseServerMessage, type ServerMessage } from '../../live/messages.js';
import { createLiveClient } from '../create-live-client.js';
import type { LiveSocketEvents } from '../live-link.js';

/** A server with one log in memory; connections can be cut, timers are run by hand. */
function createScene() {
  const log: number[] = [];
  const timers = new Set<{ task: () => void; ms: number }>();
  const said: ClientMessage[] = [];
  let connection: { events: LiveSocketEvents; after: number | undefined; channel: number } | undefined;
  const say = (message: ServerMessage) => connection?.events.onText(JSON.stringify(message));
  const event = (position: number) => ({ position, stream: 'run:a', version: position, at: 0, type: 'a.b', data: {} });
  return {
    log,
    said,
    get isConnected() {
      return connection !== undefined;
    },
    client: createLiveClient({
      parse: parseServerMessage,
      token: () => 'secret',
      after(ms, task) {
        const timer = { ms, task };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
      connect(events) {
        const own = { events, after: undefined as number | undefined, channel: 0 };
        connection = own;
        return {
          send(text) {
            const message = JSON.parse(String(text)) as ClientMessage;
            said.push(message);
            if (message.type === 'hello') say({ type: 'ready', version: '1', scope: 'owner', server: 's' });
            if (message.type !== 'subscribe' || message.subscription.to !== 'log') return;
            own.after = message.subscription.after;
            own.channel = message.channel;
          },
          close() {
            if (connection === own) connection = undefined;
            events.onClose();
          },
        };
      },
    }),
    open: () => connection?.events.onOpen(),
    /** Sends up to `count` events that this connection has not had. */
    deliver(count: number) {
      if (connection?.after === undefined) return;
      const { after, channel } = connection;
      const events = log.filter((position) => position > after).slice(0, count);
      const position = events.at(-1) ?? after;
      connection.after = position;
      say({ type: 'events', channel, events: events.map(event), position });
    },
    repeatLast() {
      const last = log.at(-1);
      if (last !== undefined) say({ type: 'events', channel: 0, events: [event(last)], position: last });
    },
    cut() {
      const lost = connection;
      connection = undefined;
      lost?.events.onClose();
    },
    runTimers(longest = Number.POSITIVE_INFINITY) {
      for (const timer of [...timers].filter(({ ms }) => ms <= longest)) {
        timers.delete(timer);
        timer.task();
      }
    },
  };
}

const subscription = { to: 'log', project: '/shop', after: 0 } as const;

describe('a subscription to a log', () => {
  it('delivers every event once and in order, across any disconnect', () => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(200); round++) {
      const scene = createScene();
      const seen: number[] = [];
      scene.client.subscribe(subscription, {
        onMessage: (message) => void (message.type === 'events' && seen.push(...message.events.map((e) => e.position))),
      });
      for (let step = 0; step < 60; step++) {
        const what = random.below(6);
        if (what <= 1) scene.log.push(scene.log.length + 1);
        else if (what === 2) scene.deliver(1 + random.below(3));
        else if (what === 3 && scene.isConnected) scene.cut();
        else if (what === 4) scene.open();
        else if (!scene.isConnected) scene.runTimers(5_000);
      }
      if (!scene.isConnected) scene.runTimers(5_000);
      scene.open();
      scene.deliver(1_000);

      expect(seen).toEqual(scene.log);
    }
  });

  it('skips events it has already delivered', () => {
    const scene = createScene();
    const seen: number[] = [];
    scene.client.subscribe(subscription, {
      onMessage: (message) => void (message.type === 'events' && seen.push(...message.events.map((e) => e.position))),
    });
    scene.open();
    scene.log.push(1, 2);
    scene.deliver(2);
    scene.repeatLast();

    expect(seen).toEqual([1, 2]);
  });
});

describe('a connection', () => {
  it('is replaced after a silence that the server does not keep', () => {
    const scene = createScene();
    scene.open();
    scene.runTimers(30_000);

    expect(scene.isConnected).toBe(false);
    scene.runTimers(5_000);
    expect(scene.isConnected).toBe(true);
  });

  it('is replaced after a sleep where it does not answer', () => {
    const scene = createScene();
    scene.open();
    scene.client.check();

    expect(scene.said.at(-1)).toEqual({ type: 'ping', id: 0 });
    scene.runTimers(2_000);
    expect(scene.isConnected).toBe(false);
  });

  it('is not opened again once its client is closed', () => {
    const scene = createScene();
    scene.open();
    scene.client.close();
    scene.runTimers();

    expect(scene.isConnected).toBe(false);
  });
});

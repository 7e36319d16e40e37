import { decodeFrame, encodeFrame, MAX_CHANNELS } from '../live/frames.js';
import type { ServerMessage, Subscription } from '../live/messages.js';
import { type LinkDeps, type LiveLink, openLiveLink } from './live-link.js';

/** Callbacks of a subscriber. They must not throw. */
export interface Subscriber {
  /** Messages of its channel; of a log: without gaps and repetitions, however often the connection was lost. */
  onMessage?(message: ServerMessage): void;
  /** Output of a terminal; the first after a `snapshot` message is that snapshot. */
  onBytes?(bytes: Uint8Array): void;
}

export interface LiveSubscription {
  /** Output up to here is drawn. */
  ack(offset: number): void;
  type(bytes: Uint8Array): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  close(): void;
}

export interface LiveClient {
  subscribe(subscription: Subscription, subscriber: Subscriber): LiveSubscription;
  /** See `LiveLink.check`. */
  check(): void;
  close(): void;
}

export interface LiveClientDeps extends LinkDeps {
  /** Whether the shown data is fresh. `ready`: the server on the other end now. */
  onState?(state: 'connected' | 'lost', ready?: Ready): void;
}

export type Ready = Extract<ServerMessage, { type: 'ready' }>;

interface Entry {
  subscription: Subscription;
  readonly subscriber: Subscriber;
}

/** Subscriptions that outlive connections: a log continues behind the last position that its subscriber has. */
export function createLiveClient(deps: LiveClientDeps): LiveClient {
  const entries = new Map<number, Entry>();
  const link: LiveLink = openLiveLink(deps, {
    onReady(ready) {
      deps.onState?.('connected', ready);
      for (const [channel, { subscription }] of entries) link.say({ type: 'subscribe', channel, subscription });
    },
    onLost: () => deps.onState?.('lost'),
    onMessage: (message) => hear(entries, message),
    onBinary(message) {
      const frame = decodeFrame(message);
      if (frame !== undefined) entries.get(frame.channel)?.subscriber.onBytes?.(frame.bytes);
    },
  });
  return {
    subscribe(subscription, subscriber) {
      const channel = freeChannel(entries);
      entries.set(channel, { subscription, subscriber });
      link.say({ type: 'subscribe', channel, subscription });
      return {
        ack: (offset) => link.say({ type: 'ack', channel, offset }),
        type: (bytes) => link.sendBinary(encodeFrame(channel, bytes)),
        resize: (size) => link.say({ type: 'resize', channel, ...size }),
        close() {
          if (entries.delete(channel)) link.say({ type: 'unsubscribe', channel });
        },
      };
    },
    check: link.check,
    close: link.close,
  };
}

function hear(entries: ReadonlyMap<number, Entry>, message: ServerMessage): void {
  const entry = 'channel' in message ? entries.get(message.channel) : undefined;
  if (entry === undefined) return;
  const { subscription, subscriber } = entry;
  if (message.type !== 'events' || subscription.to !== 'log') {
    subscriber.onMessage?.(message);
    return;
  }
  // Repeated where the connection was lost between an event and its successor.
  const events = message.events.filter(({ position }) => position > subscription.after);
  entry.subscription = { ...subscription, after: Math.max(subscription.after, message.position) };
  subscriber.onMessage?.({ ...message, events });
}

function freeChannel(entries: ReadonlyMap<number, Entry>): number {
  for (let channel = 0; channel <= MAX_CHANNELS; channel++) if (!entries.has(channel)) return channel;
  throw new RangeError('there are too many subscriptions on one connection');
}

import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type StreamChoice } from '@devs/api';
import type { StoredEvent } from '@devs/core';
import type { OpenStores } from '../records/open-stores.js';
import type { Channel, Viewer } from './channel.js';

const PAGE = 500;
/** Events that come one after another go out together. */
const COALESCE_MS = 16;

export interface LogSubscription {
  readonly project: string;
  readonly after: number;
  readonly only?: readonly StreamChoice[];
}

/** Everything behind a position, page by page, then what comes. A viewer that reads slowly is waited for; nothing is left out. */
export function openLogChannel(
  channel: number,
  subscription: LogSubscription,
  { viewer, stores, onEnd }: { readonly viewer: Viewer; readonly stores: OpenStores; onEnd(error?: unknown): void },
): Channel {
  const closing = new AbortController();
  const { signal } = closing;
  sendLog(channel, subscription, { viewer, stores, signal }).then(
    () => onEnd(),
    (error: unknown) => (signal.aborted ? onEnd() : onEnd(error)),
  );
  return { close: () => closing.abort() };
}

async function sendLog(
  channel: number,
  { project, after, only }: LogSubscription,
  { viewer, stores, signal }: { readonly viewer: Viewer; readonly stores: OpenStores; readonly signal: AbortSignal },
): Promise<void> {
  const held = await stores.hold(project);
  try {
    const { position: end } = await held.store.state();
    if (after > end) throw new ApiError('conflict', `the log ends at ${end}: position ${after} is of another one`);
    viewer.say({ type: 'subscribed', channel });
    let position = after;
    let isCaughtUp = false;
    while (!signal.aborted) {
      const events = await held.store.log.read({ after: position, limit: PAGE });
      if (signal.aborted) return;
      if (events.length > 0) {
        position = events.at(-1)?.position ?? position;
        viewer.say({
          type: 'events',
          channel,
          events: events.filter((event) => isWanted(event, only)),
          position,
        } as never);
      }
      if (!isCaughtUp && events.length < PAGE) {
        isCaughtUp = true;
        viewer.say({ type: 'caught-up', channel, position });
      }
      await viewer.drained();
      if (events.length > 0) continue;
      await held.backend.changed({ after: position }, signal);
      await pause(COALESCE_MS);
    }
  } finally {
    held.release();
  }
}

function isWanted({ stream }: StoredEvent, only: readonly StreamChoice[] | undefined): boolean {
  return (
    only === undefined ||
    only.some(({ kind, id }) => (id === undefined ? stream.startsWith(`${kind}:`) : stream === `${kind}:${id}`))
  );
}

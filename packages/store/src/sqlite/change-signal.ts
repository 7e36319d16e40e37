import type { ChangeQuery } from '@devs/core';

const POLL_MS = 50;

export interface ChangeSignalDeps {
  /** Differs from its last value after another connection has written. */
  readonly dataVersion: () => string;
  readonly isThere: (query: ChangeQuery) => boolean;
  /** Whether a waiter keeps the process alive. */
  readonly keepAlive: boolean;
}

/** Wakes those who wait for events: at once by what this connection stores, after a poll by what others do. */
export function createChangeSignal({ dataVersion, isThere, keepAlive }: ChangeSignalDeps) {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let seenVersion = '';
  let isClosed = false;

  const wakeAll = () => {
    for (const wake of [...waiting]) wake();
  };
  const stopPolling = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const poll = () => {
    try {
      const version = dataVersion();
      if (version === seenVersion) return;
      seenVersion = version;
    } catch {
      // A woken waiter reads, and learns of the error there.
    }
    wakeAll();
  };
  const startPolling = () => {
    timer = setInterval(poll, POLL_MS);
    if (!keepAlive) timer.unref();
  };

  return {
    notify: wakeAll,
    wait(query: ChangeQuery, signal: AbortSignal): Promise<void> {
      // The version is taken before the look: a write in between changes it, and the first poll sees that.
      if (timer === undefined && !isClosed) seenVersion = dataVersion();
      if (isClosed || signal.aborted || isThere(query)) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          if (waiting.size === 0) stopPolling();
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        if (timer === undefined) startPolling();
      });
    },
    close() {
      isClosed = true;
      stopPolling();
      wakeAll();
    },
  };
}

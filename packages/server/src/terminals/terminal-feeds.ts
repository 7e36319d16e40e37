import type { ScreenView } from '@devs/core';
import {
  type HostedTerminal,
  openScreen,
  type ScreenSnapshot,
  type TerminalHost,
  type WriteOutcome,
} from '@devs/terminals';
import { coalesceOutput, type OutputChunk } from './coalesce-output.js';

export interface FeedListener {
  onOutput(chunk: OutputChunk): void;
  /** Output was lost on the way here: only a fresh snapshot is right. */
  onGap(): void;
  onResized(size: { readonly columns: number; readonly rows: number }): void;
  /** Nothing comes any more. */
  onEnd(exit: HostedTerminal['exit']): void;
}

/** What one terminal prints, for all who look at it: one screen and one watch, however many they are. */
export interface TerminalFeed {
  snapshot(): Promise<ScreenSnapshot>;
  view(): ScreenView;
  resize(size: { readonly columns: number; readonly rows: number }): Promise<void>;
  /** Resolves when the terminal has taken the bytes. Sends the next output sooner. */
  type(bytes: string | Uint8Array): Promise<WriteOutcome>;
  listen(listener: FeedListener): () => void;
  release(): void;
}

export interface TerminalFeeds {
  /** Rejects with `TerminalHostRefusedError` where there is no such terminal. */
  open(name: string): Promise<TerminalFeed>;
  close(): Promise<void>;
}

/** A feed without viewers is closed after this; a reloaded page still finds it. */
const IDLE_MS = 10_000;
/** A viewer scrolls in its own terminal. */
const SCROLLBACK_ROWS = 1_000;

type Opened = Omit<TerminalFeed, 'release'> & { close(): Promise<void> };

interface Entry {
  readonly opened: Promise<Opened>;
  holders: number;
  idle?: NodeJS.Timeout;
}

export function createTerminalFeeds(host: () => Promise<TerminalHost>): TerminalFeeds {
  const entries = new Map<string, Entry>();
  const drop = (name: string, entry: Entry) => {
    if (entries.get(name) === entry) entries.delete(name);
    clearTimeout(entry.idle);
    return entry.opened.then((feed) => feed.close()).catch(() => {}); // a feed that failed to open needs no close
  };
  const release = (name: string, entry: Entry) => {
    entry.holders -= 1;
    if (entry.holders > 0) return;
    entry.idle = setTimeout(() => void drop(name, entry), IDLE_MS);
    entry.idle.unref();
  };
  return {
    async open(name) {
      const entry = entries.get(name) ?? { opened: openFeed(host, name, () => entries.delete(name)), holders: 0 };
      entries.set(name, entry);
      entry.holders += 1;
      clearTimeout(entry.idle);
      try {
        const feed = await entry.opened;
        let isReleased = false;
        return {
          ...feed,
          release() {
            if (!isReleased) release(name, entry);
            isReleased = true;
          },
        };
      } catch (error) {
        if (entries.get(name) === entry) entries.delete(name);
        throw error;
      }
    },
    async close() {
      await Promise.all([...entries].map(([name, entry]) => drop(name, entry)));
    },
  };
}

/** `onEnd`: the next caller gets a new feed of the terminal that runs under the name then. */
async function openFeed(connect: () => Promise<TerminalHost>, name: string, onEnd: () => void): Promise<Opened> {
  const host = await connect();
  const listeners = new Set<FeedListener>();
  let next: number | undefined;
  let shown: ScreenSnapshot | undefined;
  const output = coalesceOutput((chunk) => {
    for (const listener of listeners) listener.onOutput(chunk);
  });
  const end = (exit: HostedTerminal['exit']) => {
    onEnd();
    output.flush();
    for (const listener of listeners) listener.onEnd(exit);
    listeners.clear();
  };
  const open = await openScreen({
    host,
    terminalId: name,
    scrollback: SCROLLBACK_ROWS,
    keeps: false, // its supervisor does
    onOutput(bytes, offset) {
      if (next !== undefined && offset > next) for (const listener of listeners) listener.onGap();
      next = offset + bytes.length;
      output.take(bytes, offset);
    },
    onResized: (size) => {
      shown = undefined;
      output.flush(); // it was printed for the size before
      for (const listener of listeners) listener.onResized(size);
    },
    onExit: ({ exit }) => end(exit),
  });
  const forgetLoss = host.onLost(() => end(undefined));
  return {
    async snapshot() {
      // Viewers that come together are shown the same.
      if (shown === undefined || shown.offset !== open.offset) shown = await open.snapshot();
      return shown;
    },
    view: () => open.screen.view(),
    resize: open.resize,
    type(bytes) {
      output.hurry();
      return host.write(open.terminal, bytes);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      forgetLoss();
      await open.close();
    },
  };
}

import { type FSWatcher, watch } from 'node:fs';

export interface Poll {
  /** Runs the task now, or again when it is running. Resolves when that run is over. */
  run(): Promise<void>;
  /** Runs it soon when something changes in a folder, but no more often than every `QUIET_MS`. */
  listen(folder: string, isOurs: (name: string) => boolean): void;
  close(): void;
}

const QUIET_MS = 40;

/**
 * Runs a task at least every so often, one run after the other. Keeps no process alive. The folder's own notices make it
 * quick; the clock makes it sure, as notices get lost and do not exist everywhere.
 */
export function createPoll({ everyMs, task }: { everyMs: number; task: () => Promise<void> }): Poll {
  let closed = false;
  let running: Promise<void> | undefined;
  let again: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const plan = (ms: number) => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void run(), ms).unref();
  };
  const start = async () => {
    clearTimeout(timer);
    try {
      if (!closed) await task();
    } finally {
      running = undefined;
      plan(everyMs);
    }
  };
  const run = (): Promise<void> => {
    if (running === undefined) {
      running = start();
      return running;
    }
    again ??= running.then(() => {
      again = undefined;
      return run();
    });
    return again;
  };
  const folders = new WatchedFolders(() => void run());

  plan(0);
  return {
    run,
    listen: (folder, isOurs) => folders.watch(folder, isOurs),
    close() {
      closed = true;
      clearTimeout(timer);
      folders.close();
    },
  };
}

/** Notices of several changes at almost the same time are one. */
class WatchedFolders {
  readonly #watchers = new Map<string, FSWatcher>();
  #notice: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly onChange: () => void) {}

  watch(folder: string, isOurs: (name: string) => boolean): void {
    if (this.#isClosed || this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || isOurs(name)) this.#notify();
      });
      const drop = () => {
        this.#watchers.delete(folder);
        watcher.close();
      };
      this.#watchers.set(folder, watcher.on('error', drop));
    } catch {
      // The folder is not there yet, or cannot be watched: the clock does it.
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#notice);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #notify(): void {
    this.#notice ??= setTimeout(() => {
      this.#notice = undefined;
      if (!this.#isClosed) this.onChange();
    }, QUIET_MS).unref();
  }
}

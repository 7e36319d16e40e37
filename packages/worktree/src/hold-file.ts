import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HoldRequest {
  readonly file: string;
  readonly host: string;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type Held =
  | { readonly outcome: 'held'; release(): Promise<void> }
  /** A live process held it the whole time. */
  | { readonly outcome: 'busy'; readonly by: string }
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'failed'; readonly message: string };

const POLL_MS = 25;
/** A holder says so often that it is alive. */
const BEAT_MS = 5_000;
/** A holder without a heartbeat for this long is gone, even if its pid is alive: the pid may have been reused. */
const SILENT_MS = 30_000;

/** Holds a file that only one process has at a time. A holder that died loses it: at once on its own machine, after a while on another. */
export async function holdFile({ file, host, waitMs, signal }: HoldRequest): Promise<Held> {
  const own = `${process.pid} ${host} ${randomUUID()}\n`;
  const deadline = performance.now() + waitMs;
  for (;;) {
    if (signal?.aborted) return { outcome: 'cancelled' };
    const failure = await writeFile(file, own, { flag: 'wx', mode: 0o600 }).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
    if (failure === undefined) return { outcome: 'held', release: keepAlive(file, own) };
    if (failure.code !== 'EEXIST') return { outcome: 'failed', message: failure.message };
    const holder = await readHolder(file);
    if (holder === undefined) continue; // released meanwhile
    if (isGone(holder, host)) await takeAway(file, holder.text);
    else if (performance.now() >= deadline) return { outcome: 'busy', by: `pid ${holder.pid} on ${holder.host}` };
    else await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

interface Holder {
  readonly text: string;
  readonly pid: number;
  readonly host: string;
  readonly silentMs: number;
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const [pid = '', host = ''] = text.trim().split(' ');
    return { text, pid: Number.parseInt(pid, 10), host, silentMs: Math.abs(Date.now() - mtimeMs) };
  } catch {
    return undefined;
  }
}

const isGone = ({ pid, host, silentMs }: Holder, ownHost: string): boolean =>
  silentMs > SILENT_MS || (host === ownHost && pid > 0 && !isAlive(pid));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // the process belongs to another user
  }
}

/** By its text: another process may have taken it away already, and hold the file itself by now. */
async function takeAway(file: string, text: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== text) await link(aside, file).catch(() => {});
    await rm(aside, { force: true });
  } catch {
    // taken away by another
  }
}

function keepAlive(file: string, own: string): () => Promise<void> {
  const beat = () => {
    const now = new Date();
    void utimes(file, now, now).catch(() => {});
  };
  const beating = setInterval(beat, BEAT_MS).unref();
  return async () => {
    clearInterval(beating);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === own) await rm(file, { force: true });
  };
}

import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
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
  const claim = { own: `${process.pid} ${host} ${randomUUID()}\n`, host };
  const deadline = performance.now() + waitMs;
  for (;;) {
    if (signal?.aborted) return { outcome: 'cancelled' };
    const tried = await tryHold(file, claim);
    if (tried.outcome === 'held') return { outcome: 'held', release: keepAlive(file, claim.own) };
    if (tried.outcome === 'failed') return tried;
    if (tried.outcome === 'released') continue;
    const { pid, host: other } = tried.holder;
    if (performance.now() >= deadline) return { outcome: 'busy', by: `pid ${pid} on ${other}` };
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

interface Claim {
  readonly own: string;
  readonly host: string;
}

type Tried =
  | { readonly outcome: 'held' }
  | { readonly outcome: 'taken'; readonly holder: Holder }
  /** It was free or changed hands at this moment. */
  | { readonly outcome: 'released' }
  | { readonly outcome: 'failed'; readonly message: string };

async function tryHold(file: string, claim: Claim): Promise<Tried> {
  const failure = await writeFile(file, claim.own, { flag: 'wx', mode: 0o600 }).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  if (failure === undefined) return { outcome: 'held' };
  if (failure.code !== 'EEXIST') return { outcome: 'failed', message: failure.message };
  const holder = await readHolder(file);
  if (holder === undefined) return { outcome: 'released' };
  return isGone(holder, claim.host) ? succeed(file, holder, claim) : { outcome: 'taken', holder };
}

/**
 * Takes the file over from a holder that is gone. A second file, held in the same way, lets only one contender at a time do that;
 * so the file cannot change between the look at it and the replacement, which is atomic.
 */
async function succeed(file: string, gone: Holder, claim: Claim): Promise<Tried> {
  const guard = `${file}.next`;
  const guarded = await tryHold(guard, claim);
  if (guarded.outcome !== 'held') return guarded;
  try {
    if ((await readHolder(file))?.text !== gone.text) return { outcome: 'released' };
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, claim.own, { flag: 'wx', mode: 0o600 });
    await rename(draft, file);
    return { outcome: 'held' };
  } catch (error) {
    return { outcome: 'failed', message: (error as Error).message };
  } finally {
    await removeOwn(guard, claim.own);
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

function keepAlive(file: string, own: string): () => Promise<void> {
  const beat = () => {
    const now = new Date();
    void utimes(file, now, now).catch(() => {});
  };
  const beating = setInterval(beat, BEAT_MS).unref();
  return async () => {
    clearInterval(beating);
    await removeOwn(file, own);
  };
}

/** Another process may have taken it away meanwhile. */
async function removeOwn(file: string, own: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === own) await rm(file, { force: true });
}

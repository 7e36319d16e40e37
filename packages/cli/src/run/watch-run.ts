import { setTimeout as pause } from 'node:timers/promises';
import {
  collect,
  type EventLog,
  foldRun,
  messageOf,
  type RunFacts,
  readAll,
  runStream,
  type Store,
  type StoredEvent,
} from '@devs/core';
import type { Caller, RunEnd, RunNews, RunOrder, StoreAddress } from '@devs/supervisor';
import type { AskedSupervisor } from '../supervise/asked-supervisor.js';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import type { FollowedRun, Following } from './create-runs.js';

/** A run of the supervisor, for a command that waits for its end. */
export interface RunWatch {
  readonly id: string;
  readonly following: Following;
  /** Missing where it is a run of a queue. */
  readonly order?: RunOrder;
  /** Of the queue, where there is no order. */
  readonly address?: StoreAddress;
  /** Number of events that the run had before it was continued: they are not told again. */
  readonly past?: number;
  readonly supervisor: SupervisorLink;
  readonly caller: Caller;
}

export interface WatchedRun {
  readonly run: FollowedRun;
  /** Why it was not started, or nothing once it was. */
  readonly begun: Promise<RunNews['outcome']>;
  notes(): readonly string[];
}

/** What is known so far. */
interface Known {
  news?: RunNews;
  seen: number;
  noticed: number;
  readonly leaving: AbortController;
  tellBegun(outcome: RunNews['outcome']): void;
}

/** Until the next supervisor is there. */
export const LEFT_MS = 200;

/** Follows what is stored of a run, and how it is, until it is over. */
export function watchRun(watch: RunWatch): WatchedRun {
  const { id, following, past = 0, supervisor } = watch;
  const stream = runStream(id);
  const events = followStream(following.store.log, { stream, past }, (event) => following.onEvent?.(event));
  const known: Known = { seen: 0, noticed: 0, leaving: new AbortController(), tellBegun() {} };
  const begun = new Promise<RunNews['outcome']>((resolve) => {
    known.tellBegun = resolve;
  });
  const done = untilOver(watch, known)
    .catch((error: unknown): RunEnd => ({ status: 'lost', why: messageOf(error) }))
    .then(async (end) => {
      await events.close();
      known.tellBegun(undefined);
      return end;
    });
  const run: FollowedRun = {
    id,
    status() {
      if (known.news?.status === undefined) throw new Error(`run ${id} was not begun`);
      return known.news.status;
    },
    async stop(how) {
      await supervisor.ask((port) => port.runs.stop(id, how));
      await done;
    },
    done,
    unfollow: () => known.leaving.abort(),
    merge: () => known.news?.merge,
  };
  if (following.signal !== undefined)
    onceAborted(following.signal, () => void run.stop({ now: false }).catch(() => {}));
  return { run, begun, notes: () => known.news?.notes ?? [] };
}

async function untilOver(watch: RunWatch, known: Known): Promise<RunEnd> {
  const { id, following, supervisor } = watch;
  const { signal } = known.leaving;
  const again = {
    ...saidWhenLost(following),
    async onFound(port: AskedSupervisor) {
      startAnew(known);
      await port.runs.provide(id, providedBy(watch.caller, watch.order?.store ?? watch.address));
    },
  };
  for (;;) {
    const news = await supervisor.use((port) => port.runs.wait(id, { seen: known.seen }, signal), again);
    if (signal.aborted) return { status: 'lost', why: 'it is not followed any more' };
    if (news?.isLeft === true) await pause(LEFT_MS);
    else if (news === undefined) {
      const end = endOf(await readFacts(following.store, id));
      if (end !== undefined) return end;
      await takeUp(watch, again);
      await pause(LEFT_MS, undefined, { signal }).catch(() => {});
      startAnew(known);
    } else {
      hear(news, known, following);
      if (news.isOver) return news.end ?? lostBy(news) ?? endOf(await readFacts(following.store, id)) ?? UNKNOWN_END;
    }
  }
}

/** The supervisor does not know it: its predecessor is gone without a trace. A queue takes up its runs itself. */
async function takeUp({ id, order, supervisor, caller }: RunWatch, again: Parameters<SupervisorLink['use']>[1]) {
  if (order === undefined) return;
  await supervisor.use((port) => port.runs.start({ ...order, subject: { runId: id } }, caller), again);
}

/** The next supervisor counts from the beginning. */
function startAnew(known: Known): void {
  known.seen = 0;
  known.noticed = 0;
}

function hear(news: RunNews, known: Known, { onNotice, onChange }: Following): void {
  if (news.revision < known.seen) known.noticed = 0; // another supervisor
  for (const { number, notice } of news.notices) if (number > known.noticed) onNotice?.(notice);
  known.noticed = news.notices.at(-1)?.number ?? known.noticed;
  known.news = news;
  known.seen = news.revision;
  if (news.status !== undefined || news.isOver) known.tellBegun(news.outcome);
  onChange?.();
}

const GONE = 'devs: the supervisor is gone; another one continues.';

export const saidWhenLost = ({ onSaid }: Following) => ({ onLost: () => onSaid?.(GONE) });

/** With the address of the store, which the next supervisor may not know. */
export const providedBy = (caller: Caller, address: StoreAddress | undefined): Caller =>
  address?.kind === 'redis' ? { ...caller, environment: { ...caller.environment, DEVS_STORE: address.url } } : caller;

export const UNKNOWN_END: RunEnd = { status: 'lost', why: 'its outcome is unknown' };

const lostBy = ({ outcome }: RunNews): RunEnd | undefined =>
  outcome?.status === 'refused' ? { status: 'lost', why: outcome.reason } : undefined;

export const readFacts = async ({ log }: Pick<Store, 'log'>, id: string): Promise<RunFacts> =>
  foldRun(id, await collect(readAll(log, { stream: runStream(id) })));

/** How a run ended by its records. Pure. */
export function endOf({ phase, escalation }: RunFacts): RunEnd | undefined {
  if (phase.kind === 'finished') return { status: 'finished', outcome: phase.outcome, detail: phase.detail };
  if (phase.kind !== 'paused') return undefined;
  const asked = escalation === undefined || escalation.answer !== undefined ? {} : { escalation };
  return { status: 'paused', why: phase.why, ...asked };
}

export function onceAborted(signal: AbortSignal, job: () => void): void {
  if (signal.aborted) job();
  else signal.addEventListener('abort', job, { once: true });
}

/** What is stored in one stream, in order. */
interface FollowedStream {
  /** Resolves when everything that is stored now was told. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** `past`: number of events that are not told. */
function followStream(
  log: Pick<EventLog, 'follow' | 'version'>,
  { stream, past = 0 }: { readonly stream: string; readonly past?: number },
  onEvent: (event: StoredEvent) => void,
): FollowedStream {
  const closing = new AbortController();
  let told = 0;
  let waiting: (() => void)[] = [];
  const following = (async () => {
    for await (const event of log.follow({ stream, signal: closing.signal })) {
      if (event.version > past) onEvent(event);
      told += 1;
      for (const tell of waiting.splice(0)) tell();
    }
  })().catch(() => {
    told = Number.POSITIVE_INFINITY; // nothing more will come
    for (const tell of waiting.splice(0)) tell();
  });
  const settled = async () => {
    const stored = await log.version(stream).catch(() => 0);
    while (told < stored) {
      await new Promise<void>((resolve) => {
        waiting = [...waiting, resolve];
      });
    }
  };
  return {
    settled,
    async close() {
      await settled();
      closing.abort();
      await following;
    },
  };
}

import { messageOf, runStream } from '@devs/core';
import { endTerminalOf } from '../run/end-terminal-of.js';
import { outlastOutage } from '../run/queue/outlast-outage.js';
import type { RunEnd, RunHandle, StartRunOutcome } from '../run/run.js';
import { startRun } from '../run/start-run.js';
import { DEFAULT_TIMING } from '../supervision.js';
import { pausedSince } from './entrusted-run.js';
import { awaitKeys, type MissingKeys, pauseForKeys, withStoreOf } from './keys.js';
import { createNews, createNoticeList, type News } from './news.js';
import type { Caller, MergeNews, NotStarted, RunNews, RunOrder, RunStarted, WaitFor } from './port.js';
import { createPromised } from './promised.js';
import type { Vault } from './vault.js';
import type { OpenedOrder, Workshop } from './workshop.js';

export interface JobDeps {
  readonly workshop: Workshop;
  readonly vault: Vault;
  readonly newId: () => string;
  /** How long keys that are gone are waited for; see `awaitKeys`. */
  readonly patienceMs?: number | undefined;
  onChange(): void;
}

const OUTAGE_MS = DEFAULT_TIMING.leaseMs / 3;

/** One run that this supervisor holds, from its order to its end. */
export interface RunJob {
  readonly token: string;
  readonly folder: string;
  readonly id: string | undefined;
  readonly isOver: boolean;
  readonly started: Promise<RunStarted>;
  readonly done: Promise<void>;
  news(): RunNews;
  wait(wait: WaitFor, signal?: AbortSignal): Promise<RunNews>;
  stop(how: { readonly now: boolean }): Promise<void>;
  /** Lets go of it: the next supervisor continues. */
  leave(why: string): Promise<void>;
  provide(caller: Caller): void;
  user: RunHandle['user'];
  interrupt: RunHandle['interrupt'];
  renew: RunHandle['renew'];
}

/** `missing`: the run is there, and was continued by a supervisor that is gone. */
interface Adoption {
  readonly id: string;
  readonly missing: readonly string[];
  /** How many records it had when it was entrusted. */
  readonly after?: number;
}

export function beginRun(deps: JobDeps, given: RunOrder, caller: Caller, adopted?: Adoption): RunJob {
  const { subject } = given;
  const state: RunState = { id: adopted?.id ?? ('runId' in subject ? subject.runId : undefined), notes: [] };
  const news = createNews<RunNews>((revision) => describe(own, revision));
  const own: Holding = {
    deps,
    caller,
    adopted,
    order: given,
    state,
    news,
    notices: createNoticeList(() => news.changed()),
    keys: awaitKeys(caller, adopted?.missing ?? []),
    started: createPromised<RunStarted>(),
    calledOff: new AbortController(),
    leaving: new AbortController(),
  };
  const done = hold(own)
    .catch((error: unknown) => fail(own, error))
    .then(() => close(own));
  return jobOf(own, done);
}

/** A run while it is held. */
interface Holding {
  readonly deps: JobDeps;
  readonly caller: Caller;
  readonly adopted: Adoption | undefined;
  /** With the address of its store, once that is known. */
  order: RunOrder;
  readonly state: RunState;
  readonly news: News<RunNews>;
  readonly notices: ReturnType<typeof createNoticeList>;
  readonly keys: MissingKeys;
  readonly started: ReturnType<typeof createPromised<RunStarted>>;
  /** Aborted: the user stopped it before its agent was started. */
  readonly calledOff: AbortController;
  /** Aborted: the next supervisor continues. */
  readonly leaving: AbortController;
}

/** What is known of it so far. */
interface RunState {
  id: string | undefined;
  notes: readonly string[];
  handle?: RunHandle;
  outcome?: NotStarted;
  end?: RunEnd;
  merge?: MergeNews;
  isOver?: true;
  /** The next supervisor tries again. */
  isKept?: boolean;
}

function describe({ state, notices, leaving }: Holding, revision: number): RunNews {
  const { id, notes, handle, outcome, end, merge, isOver = false } = state;
  return {
    revision,
    run: id ?? '',
    notes,
    notices: notices.list(),
    ...(handle === undefined ? {} : { status: handle.status() }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(end === undefined ? {} : { end }),
    ...(merge === undefined ? {} : { merge }),
    isOver,
    isLeft: leaving.signal.aborted,
  };
}

/** From its order until it has ended, or is let go. */
async function hold(own: Holding): Promise<void> {
  const { deps, adopted, keys, calledOff, leaving } = own;
  const known = await keys.found();
  own.order = withStoreOf(own.order, known);
  const attempt = async () => {
    const opened = await deps.workshop.open(own.order, known ?? own.caller);
    await carryOut(own, opened, known).finally(() => opened.close());
  };
  // A run left by an earlier supervisor has no user to try again.
  const signal = AbortSignal.any([calledOff.signal, leaving.signal]);
  await (adopted === undefined ? attempt() : outlastOutage(attempt, { pauseMs: OUTAGE_MS, signal }));
}

async function carryOut(own: Holding, opened: OpenedOrder, known: Caller | undefined): Promise<void> {
  const { deps, adopted, state } = own;
  const { store, openHost } = opened.parts;
  if (known === undefined) return pauseForKeys(store, state.id ?? '', adopted?.missing ?? [], deps.newId);
  const stopped = adopted === undefined ? undefined : await pausedSince(store, adopted);
  if (stopped !== undefined) {
    await endTerminalOf(state.id ?? '', openHost); // killed before its agent was ended
    state.end = stopped;
    return;
  }
  const begun = await start(own, opened, known);
  if (begun.status === 'started') return attend(own, opened, { ...begun, known });
  // Another machine has taken it meanwhile, in a terminal of its own: the agent that is left here has no run.
  const isTaken = opened.parts.travel !== undefined && (begun.status === 'held' || begun.status === 'finished');
  if (isTaken && adopted !== undefined) await endTerminalOf(adopted.id, openHost);
  if (begun.status === 'finished' && adopted !== undefined) return finish(own, opened, { id: adopted.id, end: begun });
  state.outcome = begun;
  if (begun.status === 'refused' && adopted !== undefined) await endTerminalOf(adopted.id, openHost);
}

async function start(own: Holding, { parts }: OpenedOrder, known: Caller): Promise<StartRunOutcome> {
  const { adopted, order, state, news } = own;
  const { id } = state;
  const version = id === undefined ? 0 : await parts.store.log.version(runStream(id));
  if (id !== undefined) await announce(own, { id, known, after: adopted?.after ?? version });
  return startRun({
    ...parts,
    ...aboutRun(order.subject, adopted, version > 0),
    onEscalation: order.onEscalation,
    onOpening: (run) => announce(own, { id: run, known, after: 0 }),
    onNotice: own.notices.add,
    onChange() {
      parts.onChange?.();
      news.changed();
    },
    signal: own.calledOff.signal,
  });
}

/** Its name is known, and the next supervisor will know of it. */
async function announce(
  own: Holding,
  { id, known, after }: { readonly id: string; readonly known: Caller; readonly after: number },
): Promise<void> {
  own.state.id = id;
  // In full: a death before anything is stored does not lose the request.
  await keep(own, { id, known, after, subject: { ...own.order.subject, runId: id } });
  own.started.resolve({ status: 'started', run: id });
  own.deps.onChange();
}

interface Kept extends Pick<RunOrder, 'subject'> {
  readonly id: string;
  readonly known: Caller;
  readonly after: number;
}

const keep = ({ deps, order }: Holding, { id, known, after, subject }: Kept): Promise<void> =>
  deps.vault.keep({ id, kind: 'run', order: { ...order, subject }, caller: known, after });

/** Its agent works: follows it to its end. */
async function attend(
  own: Holding,
  opened: OpenedOrder,
  { run, notes, known }: { readonly run: RunHandle; readonly notes: readonly string[]; readonly known: Caller },
): Promise<void> {
  const { state, news, leaving } = own;
  const { id } = run;
  state.handle = run;
  state.notes = notes;
  opened.began(run);
  // Its records have the request now, without what was secret in it.
  if ('plan' in own.order.subject) await keep(own, { id, known, after: 0, subject: { runId: id } }).catch(() => {});
  news.changed();
  if (leaving.signal.aborted) await run.leave(LEFT);
  const end = await run.done;
  if (leaving.signal.aborted) return;
  opened.tellEnd(id, end);
  await finish(own, opened, { id, end });
}

async function finish(
  { order, state }: Holding,
  opened: OpenedOrder,
  { id, end }: { readonly id: string; readonly end: RunEnd },
): Promise<void> {
  const isDone = end.status === 'finished' && end.outcome === 'done';
  if (isDone && order.merge) state.merge = await opened.merge(id);
  if (state.merge?.isMerged === true) await opened.tidy(id);
  state.end = end;
}

async function fail({ deps, adopted, caller, state, calledOff, leaving }: Holding, error: unknown): Promise<void> {
  const reason = messageOf(error);
  const { id } = state;
  const known = id === undefined ? {} : { runId: id };
  state.outcome = { status: 'refused', reason, advice: 'See that it can be.', ...known };
  if (adopted === undefined || leaving.signal.aborted) return;
  state.isKept = !calledOff.signal.aborted;
  await endTerminalOf(adopted.id, () => deps.workshop.openHost(caller)); // no one is left to limit its agent
}

async function close({ deps, state, started, news, leaving }: Holding): Promise<void> {
  const { id, isKept = false, outcome } = state;
  if (!leaving.signal.aborted && !isKept && id !== undefined) await deps.vault.forget(id);
  state.isOver = true;
  started.resolve(outcome ?? { status: 'started', run: id ?? '' });
  news.over();
  deps.onChange();
}

function jobOf(
  { order, caller, state, started, news, keys, calledOff, leaving }: Holding,
  done: Promise<void>,
): RunJob {
  return {
    token: order.token,
    folder: caller.folder,
    get id() {
      return state.id;
    },
    get isOver() {
      return state.isOver ?? false;
    },
    started: started.promise,
    done,
    news: news.read,
    wait: ({ seen }, signal) => news.wait(seen, signal),
    async stop(how) {
      if (state.handle === undefined) calledOff.abort();
      else await state.handle.stop(how);
    },
    async leave(why) {
      if (state.isOver) return;
      leaving.abort();
      news.changed();
      await state.handle?.leave(why);
      await done;
    },
    provide: keys.provide,
    user: (is) => state.handle?.user(is),
    interrupt: async (words) =>
      (await state.handle?.interrupt(words)) ?? { kind: 'not-seen', why: 'its agent is not started yet' },
    renew: async (wish) => (await state.handle?.renew(wish)) ?? { status: 'refused', reason: 'no agent' },
  };
}

/** An adopted run is continued, or started under its name if nothing was stored. */
function aboutRun(subject: RunOrder['subject'], adopted: Adoption | undefined, isStored: boolean) {
  if (adopted === undefined) return subject;
  if (isStored || !('plan' in subject)) return { runId: adopted.id, adopts: true } as const;
  const { plan, template, source } = subject;
  return { plan, template, source, name: adopted.id };
}

const LEFT = 'the supervisor is replaced';

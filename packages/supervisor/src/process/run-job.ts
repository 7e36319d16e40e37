import { runStream } from '@devs/core';
import { endTerminalOf } from '../run/end-terminal-of.js';
import { outlastOutage } from '../run/queue/outlast-outage.js';
import type { RunEnd, RunHandle } from '../run/run.js';
import { startRun } from '../run/start-run.js';
import { DEFAULT_TIMING } from '../supervision.js';
import { pausedSince } from './entrusted-run.js';
import { awaitKeys, pauseForKeys, withStoreOf } from './keys.js';
import { createNews, createNoticeList } from './news.js';
import type { Caller, MergeNews, NotStarted, RunNews, RunOrder, RunStarted, WaitFor } from './port.js';
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
}

/** `missing`: the run is there, and was continued by a supervisor that is gone. */
interface Adoption {
  readonly id: string;
  readonly missing: readonly string[];
  /** How many records it had when it was entrusted. */
  readonly after?: number;
}

export function beginRun(deps: JobDeps, given: RunOrder, caller: Caller, adopted?: Adoption): RunJob {
  const { workshop, vault, newId } = deps;
  let order = given;
  const { subject } = order;
  let id = adopted?.id ?? ('runId' in subject ? subject.runId : undefined);
  let handle: RunHandle | undefined;
  let notes: readonly string[] = [];
  let outcome: NotStarted | undefined;
  let end: RunEnd | undefined;
  let merge: MergeNews | undefined;
  let isOver = false;
  let isLeft = false;
  let isKept = false;
  const calledOff = new AbortController();
  const leaving = new AbortController();
  const keys = awaitKeys(caller, adopted?.missing ?? []);
  const news = createNews<RunNews>((revision) => ({
    revision,
    run: id ?? '',
    notes,
    notices: notices.list(),
    ...(handle === undefined ? {} : { status: handle.status() }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(end === undefined ? {} : { end }),
    ...(merge === undefined ? {} : { merge }),
    isOver,
    isLeft,
  }));
  const notices = createNoticeList(() => news.changed());
  let tellStarted: (started: RunStarted) => void = () => {};
  const started = new Promise<RunStarted>((resolve) => {
    tellStarted = resolve;
  });
  const keep = (run: string, known: Caller, after: number, about: RunOrder['subject']) =>
    vault.keep({ id: run, kind: 'run', order: { ...order, subject: about }, caller: known, after });
  const named = async (run: string, known: Caller, after: number) => {
    id = run;
    // In full: a death before anything is stored does not lose the request.
    await keep(run, known, after, { ...subject, runId: run });
    tellStarted({ status: 'started', run });
    deps.onChange();
  };

  const finish = async (run: string, opened: OpenedOrder, ended: RunEnd) => {
    const isDone = ended.status === 'finished' && ended.outcome === 'done';
    if (isDone && order.merge) merge = await opened.merge(run);
    if (merge?.isMerged === true) await opened.tidy(run);
    end = ended;
  };
  const carryOut = async (opened: OpenedOrder, known: Caller | undefined): Promise<void> => {
    const { parts } = opened;
    if (known === undefined) return pauseForKeys(parts.store, id ?? '', adopted?.missing ?? [], newId);
    const stopped = adopted === undefined ? undefined : await pausedSince(parts.store, adopted);
    if (stopped !== undefined) {
      await endTerminalOf(id ?? '', parts.openHost); // killed before its agent was ended
      end = stopped;
      return;
    }
    if (id !== undefined) await named(id, known, adopted?.after ?? (await parts.store.log.version(runStream(id))));
    const isStored = id !== undefined && (await parts.store.log.version(runStream(id))) > 0;
    const begun = await startRun({
      ...parts,
      ...aboutRun(subject, adopted, isStored),
      onEscalation: order.onEscalation,
      onOpening: (run) => named(run, known, 0),
      onNotice: notices.add,
      onChange() {
        parts.onChange?.();
        news.changed();
      },
      signal: calledOff.signal,
    });
    if (begun.status === 'finished' && adopted !== undefined) return finish(adopted.id, opened, begun);
    if (begun.status !== 'started') {
      outcome = begun;
      if (begun.status === 'refused' && adopted !== undefined) await endTerminalOf(adopted.id, parts.openHost);
      return;
    }
    [handle, notes] = [begun.run, begun.notes];
    opened.began(handle);
    // Its records have the request now, without what was secret in it.
    if ('plan' in subject) await keep(handle.id, known, 0, { runId: handle.id }).catch(() => {});
    news.changed();
    if (isLeft) await handle.leave(LEFT);
    const ended = await handle.done;
    if (isLeft) return;
    opened.tellEnd(begun.run.id, ended);
    await finish(begun.run.id, opened, ended);
  };
  const work = async (): Promise<void> => {
    const known = await keys.found();
    order = withStoreOf(given, known);
    const attempt = async () => {
      const opened = await workshop.open(order, known ?? caller);
      await carryOut(opened, known).finally(() => opened.close());
    };
    // A run left by an earlier supervisor has no user to try again.
    const signal = AbortSignal.any([calledOff.signal, leaving.signal]);
    await (adopted === undefined ? attempt() : outlastOutage(attempt, { pauseMs: OUTAGE_MS, signal }));
  };
  const done = work()
    .catch(async (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      outcome = {
        status: 'refused',
        reason,
        advice: 'See that it can be.',
        ...(id === undefined ? {} : { runId: id }),
      };
      if (adopted === undefined || isLeft) return;
      isKept = !calledOff.signal.aborted; // the next supervisor tries again
      await endTerminalOf(adopted.id, () => workshop.openHost(caller)); // no one is left to limit its agent
    })
    .then(async () => {
      if (!isLeft && !isKept && id !== undefined) await vault.forget(id);
      isOver = true;
      tellStarted(outcome ?? { status: 'started', run: id ?? '' });
      news.over();
      deps.onChange();
    });
  return {
    token: order.token,
    folder: caller.folder,
    get id() {
      return id;
    },
    get isOver() {
      return isOver;
    },
    started,
    done,
    news: news.read,
    wait: ({ seen }, signal) => news.wait(seen, signal),
    async stop(how) {
      if (handle === undefined) calledOff.abort();
      else await handle.stop(how);
    },
    async leave(why) {
      if (isOver) return;
      isLeft = true;
      leaving.abort();
      news.changed();
      await handle?.leave(why);
      await done;
    },
    provide: keys.provide,
    user: (is) => handle?.user(is),
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

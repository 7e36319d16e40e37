import { setTimeout as pause } from 'node:timers/promises';
import { collect, foldRun, type RunFacts, readAll, runStream, type Store } from '@devs/core';
import type { Caller, QueueEnd, QueueNews, QueueOrder, RunEnd, RunNews, RunOrder } from '@devs/supervisor';
import type { AskedSupervisor } from '../supervise/asked-supervisor.js';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import { followStream } from './follow-stream.js';
import type { FollowedRun, LocalRuns, QueueStart, RunSurroundings, Runs, StartRequest } from './runs.js';

interface RunsDeps {
  readonly local: LocalRuns;
  readonly supervisor: SupervisorLink;
  /** Of this process: what it starts gets this environment. */
  readonly caller: Caller;
  readonly newId: () => string;
}

const LEFT_MS = 200;

/** Runs that the supervisor of the user carries out, and this process follows. */
export function createRuns({ local, supervisor, caller, newId }: RunsDeps): Runs {
  const orderOf = ({ location, settings, agent, trustsFolder, merge }: StartRequest | QueueStart) => ({
    token: newId(),
    store: location,
    settings,
    agent,
    trustsFolder,
    merge,
  });
  const { prepare: _, openHost: __, tell: ___, ...own } = local;
  return {
    ...own,
    async start(request) {
      const order: RunOrder = { ...orderOf(request), onEscalation: request.onEscalation, subject: request.subject };
      const answer = await supervisor.use((port) => port.runs.start(order, caller), said(request));
      if (answer.status !== 'started') return answer;
      const followed = followRun({ id: answer.run, request, order, supervisor, caller });
      const outcome = await followed.begun;
      if (outcome !== undefined) {
        await followed.run.done;
        return outcome;
      }
      return { status: 'started', run: followed.run, notes: followed.notes() };
    },
    async queue(request) {
      const { workflow, plan } = request;
      const order: QueueOrder = { ...orderOf(request), workflow, plan };
      return followQueue({ request, order, supervisor, caller });
    },
    async leaveQueue(request) {
      const { workflow, plan } = request;
      const order: QueueOrder = { ...orderOf(request), workflow, plan };
      await supervisor.use((port) => port.queues.start(order, caller));
    },
    askToStop: async (runId) => (await supervisor.ask((port) => port.runs.stop(runId, { now: false }))) ?? false,
  };
}

const GONE = 'devs: the supervisor is gone; another one continues.';

/** With the address of the store, which the next supervisor may not know. */
const provided = (caller: Caller, { location }: RunSurroundings): Caller =>
  location.kind === 'redis' ? { ...caller, environment: { ...caller.environment, DEVS_STORE: location.url } } : caller;

const said = ({ onSaid }: RunSurroundings) => ({ onLost: () => onSaid?.(GONE) });

interface Following {
  readonly id: string;
  readonly request: RunSurroundings;
  /** Missing where it is a run of a queue. */
  readonly order?: RunOrder;
  readonly supervisor: SupervisorLink;
  readonly caller: Caller;
}

/** Follows what is stored of a run, and how it is, until it is over. */
function followRun({ id, request, order, supervisor, caller }: Following) {
  const { store } = request;
  const stream = runStream(id);
  const events = followStream(store.log, stream, (event) => request.onEvent?.(event));
  const leaving = new AbortController();
  let news: RunNews | undefined;
  let tellBegun: (outcome: RunNews['outcome']) => void = () => {};
  const begun = new Promise<RunNews['outcome']>((resolve) => {
    tellBegun = resolve;
  });
  let [seen, noticed] = [0, 0];
  const again = {
    ...said(request),
    async onFound(port: AskedSupervisor) {
      [seen, noticed] = [0, 0]; // the next one counts anew
      await port.runs.provide(id, provided(caller, request));
    },
  };
  const watch = async (): Promise<RunEnd> => {
    for (;;) {
      const next = await supervisor.use((port) => port.runs.wait(id, { seen }, leaving.signal), again);
      if (leaving.signal.aborted) return { status: 'lost', why: 'nobody follows it' };
      if (next?.isLeft === true) {
        await pause(LEFT_MS); // until the next supervisor is there
        continue;
      }
      if (next === undefined) {
        const end = endOf(await readFacts(store, id));
        if (end !== undefined) return end;
        if (order !== undefined) await takeUp(order);
        await pause(LEFT_MS, undefined, { signal: leaving.signal }).catch(() => {});
        [seen, noticed] = [0, 0];
        continue;
      }
      if (next.revision < seen) noticed = 0; // another supervisor
      for (const { number, notice } of next.notices) if (number > noticed) request.onNotice?.(notice);
      noticed = next.notices.at(-1)?.number ?? noticed;
      news = next;
      seen = next.revision;
      if (next.status !== undefined || next.isOver) tellBegun(next.outcome);
      request.onChange?.();
      if (next.isOver) return next.end ?? lostBy(next) ?? endOf(await readFacts(store, id)) ?? UNKNOWN_END;
    }
  };
  /** The supervisor does not know it: its predecessor is gone without a trace. */
  const takeUp = async (known: RunOrder) => {
    await supervisor.use((port) => port.runs.start({ ...known, subject: { runId: id } }, caller), again);
  };
  const done = watch()
    .catch(
      (error: unknown): RunEnd => ({ status: 'lost', why: error instanceof Error ? error.message : String(error) }),
    )
    .then(async (end) => {
      await events.close();
      tellBegun(undefined);
      return end;
    });
  const run: FollowedRun = {
    id,
    status() {
      if (news?.status === undefined) throw new Error(`run ${id} was not begun`);
      return news.status;
    },
    async stop(how) {
      await supervisor.ask((port) => port.runs.stop(id, how));
      await done;
    },
    done,
    unfollow: () => leaving.abort(),
    merge: () => news?.merge,
  };
  if (request.signal !== undefined) onceAborted(request.signal, () => void run.stop({ now: false }).catch(() => {}));
  return { run, begun, notes: () => news?.notes ?? [] };
}

const UNKNOWN_END: RunEnd = { status: 'lost', why: 'its outcome is unknown' };

const lostBy = ({ outcome }: RunNews): RunEnd | undefined =>
  outcome?.status === 'refused' ? { status: 'lost', why: outcome.reason } : undefined;

const readFacts = async ({ log }: Pick<Store, 'log'>, id: string): Promise<RunFacts> =>
  foldRun(id, await collect(readAll(log, { stream: runStream(id) })));

/** How a run ended by its records. Pure. */
function endOf({ phase, escalation }: RunFacts): RunEnd | undefined {
  if (phase.kind === 'finished') return { status: 'finished', outcome: phase.outcome, detail: phase.detail };
  if (phase.kind !== 'paused') return undefined;
  const asked = escalation === undefined || escalation.answer !== undefined ? {} : { escalation };
  return { status: 'paused', why: phase.why, ...asked };
}

function onceAborted(signal: AbortSignal, job: () => void): void {
  if (signal.aborted) job();
  else signal.addEventListener('abort', job, { once: true });
}

interface QueueFollowing {
  readonly request: QueueStart;
  readonly order: QueueOrder;
  readonly supervisor: SupervisorLink;
  readonly caller: Caller;
}

async function followQueue({ request, order, supervisor, caller }: QueueFollowing) {
  const { queue } = await supervisor.use((port) => port.queues.start(order, caller), said(request));
  let [seen, noticed] = [0, 0];
  const again = {
    ...said(request),
    async onFound(port: AskedSupervisor) {
      [seen, noticed] = [0, 0]; // the next one counts anew
      await port.queues.provide(queue, provided(caller, request));
    },
  };
  const stop = (now: boolean) => void supervisor.ask((port) => port.queues.stop(queue, { now })).catch(() => {});
  if (request.signal !== undefined) onceAborted(request.signal, () => stop(false));
  if (request.again !== undefined) onceAborted(request.again, () => stop(true));
  const { signal: _, ...surroundings } = request; // the queue stops its runs itself
  const runs = new Map<string, ReturnType<typeof followRun>>();
  const merged = new Set<string>();
  const take = (news: QueueNews) => {
    for (const id of news.runs) {
      if (runs.has(id)) continue;
      const followed = followRun({ id, request: surroundings, supervisor, caller });
      runs.set(id, followed);
      void followed.begun.then(() => request.onRun?.(followed.run));
    }
    for (const { run, merge } of news.merges) if (!merged.has(run)) request.onMerge?.(run, merge);
    for (const { run } of news.merges) merged.add(run);
    if (news.revision < seen) noticed = 0; // another supervisor
    for (const { number, notice } of news.notices) if (number > noticed) request.onNotice?.(notice);
    noticed = Math.max(noticed, news.notices.at(-1)?.number ?? 0);
  };
  for (let isKnown = false; ; ) {
    const news = await supervisor.use((port) => port.queues.wait(queue, { seen }), again);
    if (news?.isLeft === true) {
      await pause(LEFT_MS);
      continue;
    }
    if (news === undefined) {
      // The next supervisor continues an unfinished run. This one was stopped without a witness.
      if (isKnown) return endByRecords([...runs.values()], request.store);
      await supervisor.use((port) => port.queues.start(order, caller), again);
      await pause(LEFT_MS);
      continue;
    }
    isKnown = true;
    take(news);
    seen = news.revision;
    if (!news.isOver) continue;
    await Promise.all([...runs.values()].map(({ run }) => run.done));
    if (news.end === undefined) throw new Error(news.problem ?? 'the outcome of the queue is unknown');
    return news.end;
  }
}

/** What came of the tasks that were begun, where the queue itself is not known any more. */
async function endByRecords(followed: readonly ReturnType<typeof followRun>[], store: Store): Promise<QueueEnd> {
  const ended = new Map<string, RunEnd>();
  for (const { run } of followed) {
    run.unfollow();
    await run.done;
    const facts = await readFacts(store, run.id);
    if (facts.plan?.task !== undefined) ended.set(facts.plan.task.id, endOf(facts) ?? UNKNOWN_END);
  }
  const { summaryOfQueue } = await import('@devs/supervisor'); // commands start without it
  const summary = summaryOfQueue(ended);
  return { ...summary, left: [], ...(summary.paused.length === 0 ? {} : { why: 'the supervisor was stopped' }) };
}

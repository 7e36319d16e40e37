import type { RunFacts, RunPlan, RunStart, TaskRecord } from '@devs/core';
import { type AbandonedTask, abandonedTasks, type LeftTask, leftTasks } from './left-tasks.js';
import { refsToBeginAt } from './refs-to-begin-at.js';
import type { RunEnd, RunHandle, RunParts, StartRunOutcome } from './run.js';
import { createRunIndex, type RunIndex } from './run-index.js';
import { startRun } from './start-run.js';

export interface QueueRequest extends RunParts {
  /** What to run for a task that was claimed. */
  planFor(task: TaskRecord): Promise<{ readonly plan: Omit<RunPlan, 'task'> } & Pick<RunStart, 'template' | 'source'>>;
  readonly parallel: number;
  /** Told of each run that was begun. Must not throw. */
  onRun?(run: RunHandle, task: TaskRecord): void;
  /** Told of each task that is settled, or not to be gone on with now. Must not throw. */
  onTask?(task: TaskRecord, how: TaskEnd): void;
}

export type TaskEnd =
  | RunEnd
  /** It could not be begun; it is blocked with the reason. */
  | { readonly status: 'refused'; readonly why: string }
  /** Something went wrong that has nothing to do with it; it is given back when the others are done. */
  | { readonly status: 'troubled'; readonly why: string }
  /** Somebody alive works on it. */
  | { readonly status: 'held'; readonly by: string };

export interface QueueEnd {
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** With the question that only the user can answer. */
  readonly blocked: readonly { readonly taskId: string; readonly why: string }[];
  readonly paused: readonly string[];
  /** What was not begun, and cannot be now: blocked before, claimed by somebody else, or behind one of those. */
  readonly left: readonly LeftTask[];
  /** Why no more were begun though there are some, e.g. a budget. */
  readonly why?: string;
}

/** Longer than a run needs to take the task over, and to tell that it lives. */
const CLAIM_MS = 120_000;

/**
 * Takes the tasks of the queue, one after another or several at a time, each in a run of its own. What a task depends on is
 * the queue's own business: it gives out only what may be started. A task whose run was interrupted goes on with that run, also
 * where whoever had it was killed and the task is still claimed.
 */
export async function runQueue(request: QueueRequest): Promise<QueueEnd> {
  const { store, by, signal } = request;
  const runs = createRunIndex(store.log);
  const ended = new Map<string, TaskEnd>();
  const running = new Set<Promise<void>>();
  let why: string | undefined;
  await unblockAnswered(request, runs);
  const abandoned = [...(await abandonedTasks(store, runs))];

  const begin = (next: NextTask) => {
    const { task } = next;
    const job = runTask(request, runs, next)
      .catch((error: unknown) => holdBack(request, task.id, error))
      .then((how) => {
        ended.set(task.id, how);
        request.onTask?.(task, how);
        why ??= whyNoMore(how);
      })
      .finally(() => running.delete(job));
    running.add(job);
  };
  const nextTask = async (): Promise<NextTask | undefined> => {
    const left = abandoned.shift();
    if (left !== undefined) return left;
    const claim = await store.tasks.claim({ by, leaseMs: CLAIM_MS });
    return claim.status === 'claimed' ? claim : undefined;
  };
  try {
    for (;;) {
      while (running.size < Math.max(1, request.parallel) && why === undefined && signal?.aborted !== true) {
        const next = await nextTask();
        if (next === undefined) break;
        begin(next);
      }
      if (running.size === 0) break;
      await Promise.race(running); // what depends on it may be started now
    }
  } finally {
    await Promise.allSettled(running); // the store may have failed under us: those that run are not left alone
  }
  await giveBack(request, ended);
  return { ...summary(ended), left: await leftTasks(store, ended), ...(why === undefined ? {} : { why }) };
}

/** Claimed by us, or by somebody who is gone and had begun its run. */
type NextTask = { readonly task: TaskRecord; readonly fence: number } | AbandonedTask;

/** In its run: the one that was begun for it, or a new one. */
async function runTask(request: QueueRequest, runs: RunIndex, next: NextTask): Promise<TaskEnd> {
  const { task } = next;
  const before = 'run' in next ? next.run : await runs.findOf(task.id);
  const agent = before?.plan?.agent ?? request.driver.agent;
  if (agent !== request.driver.agent)
    return { status: 'troubled', why: `its run was begun with ${agent}; go on with it: devs resume ${before?.id}` };
  const outcome = await startTask({ ...request, onEscalation: 'pause' }, { runs, next, before });
  if (outcome.status !== 'started') {
    if (outcome.status === 'cancelled' || request.signal?.aborted) {
      if ('fence' in next) await request.store.tasks.release({ id: task.id, fence: next.fence });
      return { status: 'paused', why: STOPPED };
    }
    if (outcome.status === 'held' && 'run' in next) return { status: 'held', by: outcome.by };
    const why = whyNotStarted(task.id, outcome);
    await block(request, task.id, why);
    return { status: 'refused', why };
  }
  request.onRun?.(outcome.run, task);
  const end = await outcome.run.done;
  // It would be claimed again at once, and pause again at once.
  if (end.status === 'paused' && end.budget !== undefined) await block(request, task.id, end.why);
  return end;
}

const STOPPED = 'the user stopped it';

async function startTask(
  request: QueueRequest,
  { runs, next, before }: { readonly runs: RunIndex; readonly next: NextTask; readonly before: RunFacts | undefined },
): Promise<StartRunOutcome> {
  if ('run' in next) return startRun({ ...request, runId: next.run.id });
  const { task, fence } = next;
  if (before !== undefined) return startRun({ ...request, runId: before.id, claimed: { id: task.id, fence } });
  const from = refsToBeginAt(task.depends_on, await runs.read());
  const { plan, template, source } = await request.planFor(task);
  const begun = { ...plan, ...(from.length === 0 ? {} : { from }), task: { id: task.id, fence } };
  return startRun({ ...request, template, source, plan: begun });
}

/** Kept from being claimed again at once, which would go wrong again at once. */
async function holdBack({ store, by }: QueueRequest, id: string, error: unknown): Promise<TaskEnd> {
  const why = `it could not be begun: ${error instanceof Error ? error.message : String(error)}`;
  try {
    if ((await store.tasks.get(id))?.status === 'pending') await store.tasks.claim({ by, leaseMs: CLAIM_MS, id });
  } catch {
    return { status: 'lost', why }; // the store itself is the trouble: no more are begun
  }
  return { status: 'troubled', why };
}

/** What was held back is anybody's again. */
async function giveBack({ store, by }: QueueRequest, ended: ReadonlyMap<string, TaskEnd>): Promise<void> {
  for (const [id, { status }] of ended) {
    if (status !== 'troubled') continue;
    const task = await store.tasks.get(id);
    if (task?.lease?.by === by) await store.tasks.release({ id, fence: task.fence });
  }
}

/** Given back by its run, or still held by us. Somebody else may have claimed it meanwhile, and then it is his. */
async function block({ store, by }: QueueRequest, id: string, reason: string): Promise<void> {
  const task = await store.tasks.get(id);
  const isOurs = task?.status === 'in_progress' && task.lease?.by === by;
  const claim = isOurs ? undefined : await store.tasks.claim({ by, leaseMs: CLAIM_MS, id });
  const fence = claim?.status === 'claimed' ? claim.fence : isOurs ? task.fence : undefined;
  if (fence !== undefined) await store.tasks.block({ id, fence, reason });
}

function whyNotStarted(taskId: string, outcome: Exclude<StartRunOutcome, { status: 'started' | 'cancelled' }>): string {
  switch (outcome.status) {
    case 'held':
      return `its run is looked after by ${outcome.by}`;
    case 'refused':
      return `${outcome.reason}. ${outcome.advice} Then: devs task unblock ${taskId}`;
    case 'finished':
      return `its run has ended: ${outcome.detail}`;
    case 'unknown-run':
      return 'its run is not in the store';
  }
}

/** A run that was stopped, or a budget of the day, is no reason to begin others; one that asks something is. */
function whyNoMore(how: TaskEnd): string | undefined {
  if (how.status === 'lost') return how.why;
  if (how.status !== 'paused' || how.escalation !== undefined) return undefined;
  const isOfTheRun = how.budget !== undefined && !how.budget.startsWith('day.');
  return isOfTheRun ? undefined : how.why;
}

/** What waited for an answer that has come meanwhile may go on. */
async function unblockAnswered({ store }: QueueRequest, runs: RunIndex): Promise<void> {
  for (const { phase, escalation, task } of await runs.read()) {
    if (phase.kind !== 'paused' || escalation?.answer === undefined || task === undefined) continue;
    if ((await store.tasks.get(task.id))?.status === 'blocked') await store.tasks.unblock(task.id);
  }
}

const isBlocking = ({ escalation, budget }: Extract<RunEnd, { status: 'paused' }>): boolean =>
  escalation !== undefined || budget !== undefined;

function summary(ended: ReadonlyMap<string, TaskEnd>): Omit<QueueEnd, 'left' | 'why'> {
  const all = [...ended];
  const idsWhere = (isIt: (how: TaskEnd) => boolean) => all.filter(([, how]) => isIt(how)).map(([id]) => id);
  return {
    done: idsWhere((how) => how.status === 'finished' && how.outcome === 'done'),
    failed: idsWhere((how) => how.status === 'finished' && how.outcome !== 'done'),
    blocked: all.flatMap(([taskId, how]) => {
      if (how.status === 'refused') return [{ taskId, why: how.why }];
      if (how.status !== 'paused' || !isBlocking(how)) return [];
      const { escalation } = how;
      return [{ taskId, why: escalation === undefined ? how.why : `${escalation.question} ${escalation.diagnosis}` }];
    }),
    paused: idsWhere((how) => how.status === 'lost' || (how.status === 'paused' && !isBlocking(how))),
  };
}

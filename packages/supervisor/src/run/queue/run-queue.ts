import type { RunFacts, RunPlan, RunStart, TaskRecord } from '@devs/core';
import type { RunHandle, RunParts, StartRunOutcome } from '../run.js';
import { startRun } from '../start-run.js';
import { type AbandonedTask, abandonedTasks, leftTasks } from './left-tasks.js';
import { isOfTheRun, type QueueEnd, summary, type TaskEnd, whyNoMore } from './queue-end.js';
import { createRunIndex, type RunIndex } from './run-index.js';
import { workToBeginAt } from './work-to-begin-at.js';

export interface QueueRequest extends RunParts {
  /** What to run for a task that was claimed. */
  planFor(task: TaskRecord): Promise<{ readonly plan: Omit<RunPlan, 'task'> } & Pick<RunStart, 'template' | 'source'>>;
  readonly parallel: number;
  /** Told of each run that was begun. Must not throw. */
  onRun?(run: RunHandle, task: TaskRecord): void;
  /** After a run whose task is done, before another task is begun in its place. Must not reject. */
  afterDone?(runId: string): Promise<void>;
  /** Told of each task that is settled, or not to be gone on with now. Must not throw. */
  onTask?(task: TaskRecord, how: TaskEnd): void;
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
  const abandoned = [...(await abandonedTasks(store, runs))];
  const unblocked = new Set<string>();

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
    await unblockAnswered(request, runs, unblocked);
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
    if (outcome.status === 'finished' && 'run' in next) return outcome;
    const why = whyNotStarted(outcome);
    if (outcome.status === 'refused' && outcome.isGeneral) return { status: 'troubled', why, isGeneral: true };
    if (outcome.status === 'refused' && outcome.isElsewhere) return { status: 'troubled', why }; // not blocked: others can do it
    await block(request, task.id, why);
    return { status: 'refused', why };
  }
  request.onRun?.(outcome.run, task);
  const end = await outcome.run.done;
  // It would be claimed again at once, and pause again at once.
  if (end.status === 'paused' && isOfTheRun(end.budget)) await block(request, task.id, end.why);
  if (end.status === 'finished' && end.outcome === 'done') await request.afterDone?.(outcome.run.id);
  return end;
}

const STOPPED = 'the user stopped it';

async function startTask(
  request: QueueRequest,
  { runs, next, before }: { readonly runs: RunIndex; readonly next: NextTask; readonly before: RunFacts | undefined },
): Promise<StartRunOutcome> {
  if ('run' in next) return startRun({ ...request, runId: next.run.id, keepsQuestion: true });
  const { task, fence } = next;
  if (before !== undefined) return startRun({ ...request, runId: before.id, claimed: { id: task.id, fence } });
  const work = workToBeginAt(task.depends_on, await runs.read(), request.clone);
  const { plan, template, source } = await request.planFor(task);
  const begun = { ...plan, ...work, task: { id: task.id, fence } };
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

function whyNotStarted(outcome: Exclude<StartRunOutcome, { status: 'started' | 'cancelled' }>): string {
  switch (outcome.status) {
    case 'held':
      return `its run is looked after by ${outcome.by}`;
    case 'refused':
      return `${outcome.reason}. ${outcome.advice}`;
    case 'finished':
      return `its run has ended: ${outcome.detail}`;
    case 'unknown-run':
      return 'its run is not in the store';
  }
}

/** What waited for an answer that has come meanwhile may go on. Once: it may be blocked again for another reason. */
async function unblockAnswered({ store }: QueueRequest, runs: RunIndex, unblocked: Set<string>): Promise<void> {
  for (const { phase, escalation, task } of await runs.read()) {
    if (phase.kind !== 'paused' || escalation?.answer === undefined || task === undefined) continue;
    if (unblocked.has(escalation.id)) continue;
    unblocked.add(escalation.id);
    if ((await store.tasks.get(task.id))?.status === 'blocked') await store.tasks.unblock(task.id);
  }
}

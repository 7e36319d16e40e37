import type { RunFacts, RunPlan, RunStart, TaskRecord } from '@devs/core';
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
  | { readonly status: 'refused'; readonly why: string };

export interface QueueEnd {
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** With the question that only the user can answer. */
  readonly blocked: readonly { readonly taskId: string; readonly why: string }[];
  readonly paused: readonly string[];
  /** Why no more were begun though there are some, e.g. a budget. */
  readonly why?: string;
}

/** Longer than a run needs to take the task over, and to tell that it lives. */
const CLAIM_MS = 120_000;

/**
 * Takes the tasks of the queue, one after another or several at a time, each in a run of its own. What a task depends on is
 * the queue's own business: it gives out only what may be started. A task whose run was interrupted goes on with that run.
 */
export async function runQueue(request: QueueRequest): Promise<QueueEnd> {
  const { store, by, signal } = request;
  const runs = createRunIndex(store.log);
  const ended: { readonly task: TaskRecord; readonly how: TaskEnd }[] = [];
  const running = new Set<Promise<void>>();
  let why: string | undefined;
  await unblockAnswered(request, runs);

  const begin = (task: TaskRecord, fence: number) => {
    const job = runTask(request, runs, { task, fence })
      .then((how) => {
        ended.push({ task, how });
        request.onTask?.(task, how);
        why ??= whyNoMore(how);
      })
      .finally(() => running.delete(job));
    running.add(job);
  };
  for (;;) {
    while (running.size < Math.max(1, request.parallel) && why === undefined && signal?.aborted !== true) {
      const claim = await store.tasks.claim({ by, leaseMs: CLAIM_MS });
      if (claim.status !== 'claimed') break;
      begin(claim.task, claim.fence);
    }
    if (running.size === 0) return summary(ended, why);
    await Promise.race(running); // what depends on it may be started now
  }
}

interface Claimed {
  readonly task: TaskRecord;
  readonly fence: number;
}

/** In its run: the one that was begun for it, or a new one. */
async function runTask(request: QueueRequest, runs: RunIndex, { task, fence }: Claimed): Promise<TaskEnd> {
  const before = await runs.findOf(task.id);
  const parts = { ...request, onEscalation: 'pause' as const };
  const outcome = before === undefined ? await startNew(parts, task, fence) : await goOn(parts, before, fence);
  if (outcome.status !== 'started') {
    const why = whyNotStarted(outcome);
    await block(request, task.id, why);
    return { status: 'refused', why };
  }
  request.onRun?.(outcome.run, task);
  const end = await outcome.run.done;
  // It would be claimed again at once, and pause again at once.
  if (end.status === 'paused' && end.budget !== undefined) await block(request, task.id, end.why);
  return end;
}

/** Given back by its run, or still held by us: either way nobody works on it. */
async function block({ store }: QueueRequest, id: string, reason: string): Promise<void> {
  await store.tasks.block({ id, reason });
}

async function startNew(request: QueueRequest, task: TaskRecord, fence: number): Promise<StartRunOutcome> {
  const { plan, template, source } = await request.planFor(task);
  return startRun({ ...request, template, source, plan: { ...plan, task: { id: task.id, fence } } });
}

/** Its run claims the task itself, under a number of its own. */
async function goOn(request: QueueRequest, run: RunFacts, fence: number): Promise<StartRunOutcome> {
  await request.store.tasks.release({ id: run.task?.id ?? '', fence });
  return startRun({ ...request, runId: run.id });
}

function whyNotStarted(outcome: Exclude<StartRunOutcome, { status: 'started' }>): string {
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

function summary(
  ended: readonly { readonly task: TaskRecord; readonly how: TaskEnd }[],
  why: string | undefined,
): QueueEnd {
  const idsWhere = (isIt: (how: TaskEnd) => boolean) => ended.filter(({ how }) => isIt(how)).map(({ task }) => task.id);
  return {
    done: idsWhere((how) => how.status === 'finished' && how.outcome === 'done'),
    failed: idsWhere((how) => how.status === 'finished' && how.outcome !== 'done'),
    blocked: ended.flatMap(({ task, how }) => {
      if (how.status === 'refused') return [{ taskId: task.id, why: how.why }];
      if (how.status !== 'paused' || !isBlocking(how)) return [];
      const { escalation } = how;
      const asked = escalation === undefined ? how.why : `${escalation.question} ${escalation.diagnosis}`;
      return [{ taskId: task.id, why: asked }];
    }),
    paused: idsWhere((how) => how.status === 'lost' || (how.status === 'paused' && !isBlocking(how))),
    ...(why === undefined ? {} : { why }),
  };
}

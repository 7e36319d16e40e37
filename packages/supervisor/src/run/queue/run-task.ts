import { messageOf, type RunFacts, type RunPlan, type RunStart, StoreReplacedError, type TaskRecord } from '@devs/core';
import { DEFAULT_TIMING } from '../../supervision.js';
import type { RunHandle, RunParts, StartRunOutcome } from '../run.js';
import { startRun } from '../start-run.js';
import type { AbandonedTask } from './left-tasks.js';
import { isOutage, outlastOutage } from './outlast-outage.js';
import { isOfTheRun, type TaskEnd } from './queue-end.js';
import type { RunIndex } from './run-index.js';
import { saidWork } from './said-work.js';
import { workToBeginAt } from './work-to-begin-at.js';

export interface QueueRequest extends RunParts {
  /** What to run for a task that was claimed. */
  planFor(task: TaskRecord): Promise<{ readonly plan: Omit<RunPlan, 'task'> } & Pick<RunStart, 'template' | 'source'>>;
  readonly parallel: number;
  /** What this machine has besides its agent: tasks that need something else are left to others. */
  readonly labels?: readonly string[];
  /** Told of each run that was begun. Must not throw. */
  onRun?(run: RunHandle, task: TaskRecord): void;
  /** After a run whose task is done, before another task is begun in its place. Must not reject. */
  afterDone?(runId: string): Promise<void>;
  /** Called for each task that is settled, or not continued for now. Must not throw. */
  onTask?(task: TaskRecord, how: TaskEnd): void;
  /** The runs that were begun by the same queue under a supervisor before this one: what came of them counts, too. */
  readonly before?: readonly string[];
  /** Aborted: starts nothing more. Its runs are left by their holders, and the next queue continues them. */
  readonly leaving?: AbortSignal;
}

/** Who claims tasks. */
export type Claimer = Pick<QueueRequest, 'store' | 'by' | 'timing'>;

/** Longer than a run needs to take the task over, and to tell that it lives. */
export const claimMsOf = ({ timing }: Pick<Claimer, 'timing'>): number => timing?.claimMs ?? DEFAULT_TIMING.claimMs;
/** So often one run may be lost to an outage of the store. */
const MAX_LOSSES = 5;

export const outageOf = ({ timing, signal, leaving }: QueueRequest) => ({
  pauseMs: (timing?.leaseMs ?? DEFAULT_TIMING.leaseMs) / 3,
  signal: AbortSignal.any([signal, leaving].filter((one) => one !== undefined)),
});

/** What this machine has: its agent counts, too. */
export const labelsOf = ({ labels = [], driver }: Pick<QueueRequest, 'labels' | 'driver'>): readonly string[] => [
  ...labels,
  driver.agent,
];

export const isCalledOff = ({ signal, leaving }: QueueRequest): boolean =>
  signal?.aborted === true || leaving?.aborted === true;

/** Once more, if its run was lost to an outage and its task is still free. */
export async function runToItsEnd(request: QueueRequest, runs: RunIndex, next: NextTask): Promise<TaskEnd> {
  const outlast = <T>(work: () => Promise<T>) => outlastOutage(work, outageOf(request));
  let how = await outlast(() => runTask(request, runs, next));
  for (let losses = 1; how.status === 'lost' && losses < MAX_LOSSES && !isCalledOff(request); losses++) {
    const again = await outlast(() => takeAgain(request, runs, next));
    if (again === undefined) return how;
    if ('status' in again) return again;
    how = await outlast(() => runTask(request, runs, again));
  }
  return how;
}

/** The task of a run that was lost. Its claim may have ended meanwhile. */
async function takeAgain(
  request: QueueRequest,
  runs: RunIndex,
  next: NextTask,
): Promise<NextTask | Extract<TaskEnd, { status: 'held' }> | undefined> {
  const { store, by } = request;
  const { id } = next.task;
  const claim = await store.tasks.claim({ by, leaseMs: claimMsOf(request), id });
  if (claim.status === 'claimed') return claim;
  const task = await store.tasks.get(id);
  if (task?.lease === undefined) return undefined;
  if (!(await isOurs(request, runs, { ...next, task }))) return { status: 'held', by: task.lease.by };
  const run = await runs.findOf(id);
  return run?.task?.fence === task.fence ? { task, run } : { task, fence: task.fence };
}

/** Under our own name where its claimer is gone: else the next claim of anybody would free it under its run. */
export async function takeOver(request: QueueRequest, left: AbandonedTask): Promise<NextTask> {
  const { store, by } = request;
  if (left.task.status !== 'in_progress' || left.task.lease?.by === by) return left;
  const claim = await store.tasks.claim({ by, leaseMs: claimMsOf(request), id: left.task.id });
  return claim.status === 'claimed' ? { ...left, task: claim.task, fence: claim.fence } : left;
}

/** Claimed by this queue, or by the run that it began: another queue of the same supervisor has the same name. */
export async function isOurs({ by }: Pick<Claimer, 'by'>, runs: RunIndex, next: NextTask): Promise<boolean> {
  const { id, status, lease, fence } = next.task;
  if (status !== 'in_progress' || lease?.by !== by) return false;
  return ('fence' in next && next.fence === fence) || (await runs.findOf(id))?.task?.fence === fence;
}

/** Claimed by us, started by a process that is gone, or both. */
export type NextTask = ClaimedTask | AbandonedTask | (ClaimedTask & AbandonedTask);

interface ClaimedTask {
  readonly task: TaskRecord;
  readonly fence: number;
}

/** In its existing run, or a new one. */
async function runTask(request: QueueRequest, runs: RunIndex, next: NextTask): Promise<TaskEnd> {
  const { task } = next;
  if (request.leaving?.aborted) {
    if ('fence' in next) await request.store.tasks.release({ id: task.id, fence: next.fence });
    return { status: 'paused', why: LEFT };
  }
  const before = 'run' in next ? next.run : await runs.findOf(task.id);
  const agent = before?.plan?.agent ?? request.driver.agent;
  if (agent !== request.driver.agent)
    return { status: 'troubled', why: `its run was begun with ${agent}; continue it: devs resume ${before?.id}` };
  const outcome = await startTask({ ...request, onEscalation: 'pause' }, { runs, next, before });
  if (outcome.status !== 'started') {
    if (outcome.status === 'cancelled' || request.signal?.aborted) {
      if ('fence' in next) await request.store.tasks.release({ id: task.id, fence: next.fence });
      return { status: 'paused', why: STOPPED };
    }
    const why = whyNotStarted(outcome);
    if (outcome.status === 'held' && 'run' in next)
      return 'fence' in next ? { status: 'troubled', why } : { status: 'held', by: outcome.by };
    if (outcome.status === 'finished' && 'run' in next) return outcome;
    if (outcome.status === 'refused' && outcome.isGeneral) return { status: 'troubled', why, isGeneral: true };
    if (outcome.status === 'refused' && outcome.isElsewhere) return { status: 'troubled', why }; // not blocked: others can do it
    await block(request, runs, next, why);
    return { status: 'refused', why };
  }
  request.onRun?.(outcome.run, task);
  const end = await outcome.run.done;
  // It would be claimed again at once, and pause again at once.
  if (end.status === 'paused' && isOfTheRun(end.budget)) await block(request, runs, next, end.why);
  if (end.status === 'finished' && end.outcome === 'done') await request.afterDone?.(outcome.run.id);
  return end;
}

const STOPPED = 'the user stopped it';
const LEFT = 'the next supervisor continues it';

async function startTask(
  request: QueueRequest,
  { runs, next, before }: { readonly runs: RunIndex; readonly next: NextTask; readonly before: RunFacts | undefined },
): Promise<StartRunOutcome> {
  const claimed = 'fence' in next ? { claimed: { id: next.task.id, fence: next.fence } } : {};
  if ('run' in next) return startRun({ ...request, ...claimed, runId: next.run.id, keepsQuestion: true });
  const { task, fence } = next;
  if (before !== undefined) return startRun({ ...request, ...claimed, runId: before.id });
  const { plan, template, source } = await request.planFor(task);
  const work = whereToBegin(request, plan, task, await runs.read());
  if ('status' in work) return work;
  const begun = { ...plan, ...work, task: { id: task.id, fence } };
  return startRun({ ...request, template, source, plan: begun });
}

/** On a shared store only where it was said; else at what is here. */
function whereToBegin(
  { travel, clone }: QueueRequest,
  { place }: Pick<RunPlan, 'place'>,
  task: TaskRecord,
  runs: readonly RunFacts[],
): Pick<RunPlan, 'from' | 'needs' | 'at'> | Extract<StartRunOutcome, { status: 'refused' }> {
  if (travel === undefined || place !== 'own') return workToBeginAt(task.depends_on, runs, clone);
  const at = saidWork(task, runs);
  if (at !== undefined) return { at };
  return {
    status: 'refused',
    reason: `it is not stored at which commit ${task.id} begins: it was added where no remote was known`,
    advice: `Remove it, see that git remote get-url ${travel.remote} works, and add it again.`,
  };
}

/** Kept from being claimed again at once, which would go wrong again at once. */
export async function holdBack(
  request: Claimer,
  taken: Map<string, NextTask>,
  id: string,
  error: unknown,
): Promise<TaskEnd> {
  const { store, by } = request;
  const why = `it could not be begun: ${messageOf(error)}`;
  if (isOutage(error) || error instanceof StoreReplacedError) return { status: 'lost', why };
  try {
    if ((await store.tasks.get(id))?.status === 'pending') {
      const claim = await store.tasks.claim({ by, leaseMs: claimMsOf(request), id });
      if (claim.status === 'claimed') taken.set(id, claim);
    }
  } catch {
    return { status: 'lost', why }; // the store itself is the trouble: no more are begun
  }
  return { status: 'troubled', why };
}

/** Given back by its run, or still held by us. If another worker has claimed it meanwhile, it is theirs. */
export async function block(request: Claimer, runs: RunIndex, next: NextTask, reason: string): Promise<void> {
  const { store, by } = request;
  const { id } = next.task;
  const task = await store.tasks.get(id);
  if (task === undefined) return;
  const isHeld = await isOurs(request, runs, { ...next, task });
  const claim = isHeld ? undefined : await store.tasks.claim({ by, leaseMs: claimMsOf(request), id });
  const fence = claim?.status === 'claimed' ? claim.fence : isHeld ? task.fence : undefined;
  if (fence !== undefined) await store.tasks.block({ id, fence, reason });
}

function whyNotStarted(outcome: Exclude<StartRunOutcome, { status: 'started' | 'cancelled' }>): string {
  switch (outcome.status) {
    case 'held':
      return `its run is supervised by ${outcome.by}`;
    case 'refused':
      return `${outcome.reason}. ${outcome.advice}`;
    case 'finished':
      return `its run has ended: ${outcome.detail}`;
    case 'unknown-run':
      return 'its run is not in the store';
  }
}

/** Unblocks tasks whose question was answered meanwhile. Once: they may be blocked again for another reason. */
export async function unblockAnswered(
  { store }: Pick<Claimer, 'store'>,
  runs: RunIndex,
  unblocked: Set<string>,
): Promise<void> {
  for (const { phase, escalation, task } of await runs.read()) {
    if (phase.kind !== 'paused' || escalation?.answer === undefined || task === undefined) continue;
    if (unblocked.has(escalation.id)) continue;
    unblocked.add(escalation.id);
    if ((await store.tasks.get(task.id))?.status === 'blocked') await store.tasks.unblock(task.id);
  }
}

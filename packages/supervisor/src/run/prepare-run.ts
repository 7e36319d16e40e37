import {
  type EventLog,
  holderOfRun,
  type NamedLease,
  type RunFacts,
  runEventOf,
  runStarted,
  runStream,
  type WorkflowRun,
  watchOfRun,
} from '@devs/core';
import { makeRunWorktree, type RunWorktree } from '@devs/worktree';
import type { HeldTask } from '../supervision.js';
import { DEFAULT_RUN_TIMING, type RunRequest, type StartRunOutcome } from './run.js';
import { openRunRecord, type RunRecord } from './run-record.js';
import { untilFree } from './until-free.js';

export interface OpenedRun {
  readonly status: 'opened';
  readonly id: string;
  readonly record: RunRecord;
  readonly workflow: WorkflowRun;
  readonly lease: NamedLease;
}

type NotOpened = Exclude<StartRunOutcome, { status: 'started' }>;

const POLL_MS = 100;
const ID_CHARS = [4, 6, 8, 12] as const;

/** Takes a run that is there, or stores a new one. Nothing is made yet. */
export async function openRun(
  request: RunRequest,
  { leaseMs, onEvent }: { readonly leaseMs: number } & Pick<Parameters<typeof openRunRecordFor>[2], 'onEvent'>,
): Promise<OpenedRun | NotOpened> {
  if (request.runId !== undefined) return takeRun(request, request.runId, { leaseMs, onEvent });
  for (const chars of ID_CHARS) {
    const id = `run-${request.newId().replaceAll('-', '').slice(0, chars)}`;
    if ((await request.store.log.version(runStream(id))) > 0) continue; // somebody else's
    const held = await request.store.leases.acquire({ name: leaseName(request, id), by: request.by, leaseMs });
    if (held.status === 'held') continue;
    const record = openRunRecordFor(request, id, { onEvent });
    const { template, source, plan } = request;
    const summary = plan.request.split('\n')[0]?.slice(0, 100) ?? '';
    await record.decide(() =>
      record.workflow === undefined
        ? [runStarted({ template, source, summary }), runEventOf({ type: 'run.prepared', ...plan })]
        : [],
    );
    if (record.workflow !== undefined && record.facts.plan !== undefined)
      return { status: 'opened', id, record, workflow: record.workflow, lease: held.lease };
  }
  return { status: 'refused', reason: 'no free name was found for the run', advice: 'Try again.' };
}

async function takeRun(
  request: RunRequest,
  id: string,
  { leaseMs, onEvent }: { readonly leaseMs: number; onEvent: Parameters<typeof openRunRecord>[2] },
): Promise<OpenedRun | NotOpened> {
  const { store, by, signal } = request;
  if ((await store.log.version(runStream(id))) === 0) return { status: 'unknown-run' };
  const name = leaseName(request, id);
  const wait = { leases: store.leases, name, pollMs: POLL_MS, signal };
  const held = await untilFree(() => store.leases.acquire({ name, by, leaseMs }), wait);
  if (held.status === 'held') return held;
  const others = [runStream(id), watchOfRun(id)].filter((other) => other !== name);
  for (const other of others) {
    const holder = await store.leases.get(other); // he does it in another manner
    if (holder === undefined) continue;
    await store.leases.release(held.lease);
    return { status: 'held', by: holder.by, until: holder.until };
  }
  const release = () => store.leases.release(held.lease).catch(() => false); // it ends by itself
  const record = openRunRecordFor(request, id, { onEvent });
  await record.read();
  const { workflow, facts } = record;
  if (workflow !== undefined && facts.plan !== undefined && facts.phase.kind !== 'finished')
    return { status: 'opened', id, record, workflow, lease: held.lease };
  await release();
  if (facts.phase.kind === 'finished')
    return { status: 'finished', outcome: facts.phase.outcome, detail: facts.phase.detail };
  return { status: 'unknown-run' };
}

const openRunRecordFor = (
  { store }: RunRequest,
  id: string,
  { onEvent }: { onEvent: Parameters<typeof openRunRecord>[2] },
) => openRunRecord(store.log, id, onEvent);

/**
 * Whoever holds the run's own name performs its context actions. One who only measures leaves them to the agent, and holds
 * another name.
 */
const leaseName = ({ settings }: RunRequest, id: string): string =>
  settings.contextActions.enabled && !settings.observe ? runStream(id) : watchOfRun(id);

export interface RunFolder {
  readonly path: string;
  readonly branch?: string;
  readonly base?: string;
  readonly notes: readonly string[];
}

type Refused = Extract<StartRunOutcome, { status: 'refused' }>;

/** The folder that the run works in: made, or found as it was left. */
export async function prepareFolder(request: RunRequest, { id, record }: OpenedRun): Promise<RunFolder | Refused> {
  const { facts } = record;
  // The project may have been moved since, and what is stored of a path may be redacted.
  const { folder } = request.place;
  const { copy, setup } = request.settings;
  if (facts.plan?.place !== 'own') {
    if (facts.worktree === undefined) await record.append({ type: 'worktree.made', path: folder });
    return { path: folder, notes: [] };
  }
  const commandMs = request.timing?.commandMs ?? DEFAULT_RUN_TIMING.commandMs;
  const { env } = request.place;
  const made = await makeRunWorktree({
    folder,
    runId: id,
    copy,
    setup,
    from: facts.plan.from ?? [],
    wasMade: facts.worktree !== undefined,
    env,
    commandMs,
    signal: request.signal,
  });
  if (made.outcome !== 'made') return { status: 'refused', runId: id, ...whyNotMade(made) };
  const { path, branch, base, notes } = made;
  if (facts.worktree === undefined) await record.append({ type: 'worktree.made', path, branch, base });
  return { path, branch, base, notes };
}

type NotMade = Exclude<RunWorktree, { outcome: 'made' }>;

/** What the user can do first; how he goes on then is told by whoever knows what became of the run. */
function whyNotMade(made: NotMade): Pick<Refused, 'reason' | 'advice' | 'isGeneral'> {
  const isGeneral = true;
  const here = 'Run it in the folder itself with --here';
  switch (made.outcome) {
    case 'no-git':
      return {
        reason: 'git is not installed, so the run cannot have a work tree of its own',
        advice: `${here}.`,
        isGeneral,
      };
    case 'no-repository':
    case 'no-work-tree':
      return { reason: 'this folder is in no git repository', advice: `${here}, or make one: git init.`, isGeneral };
    case 'no-commit':
      return {
        reason: 'the repository has no commit yet',
        advice: `Commit once, or: ${here.toLowerCase()}.`,
        isGeneral,
      };
    case 'conflict':
      return {
        reason: `what it builds on does not go together: ${made.branch} and the others changed ${made.files.join(', ')}`,
        advice: 'Merge them into your branch and settle the conflicts.',
      };
    case 'damaged':
      return {
        reason: `${made.path} holds the work of this run, and git does not know it as a work tree any more`,
        advice: 'Copy what you need from it and move it away.',
      };
    case 'no-folder':
      return { reason: 'the folder is gone', advice: 'Start it where the project is.', isGeneral };
    case 'setup-failed':
      return {
        reason: `the setup command ${made.command.join(' ')} ended with ${made.exitCode}:\n${made.tail.trim()}`,
        advice: 'Change setup in .devs/config.yaml.',
        isGeneral,
      };
    case 'timed-out':
      return { reason: `git took longer than ${made.afterMs / 1_000} s`, advice: 'Try again.' };
    case 'cancelled':
      return { reason: 'it was called off', advice: '' };
    case 'failed':
      return { reason: `git says: ${made.message}`, advice: `${here}, or try again.` };
  }
}

const RUN_OPENED = 'run.opened';

/** Makes the run the current one of its folder, for the agent's tools. */
export async function openInFolder(request: RunRequest, id: string, path: string): Promise<Refused | undefined> {
  const { log, leases } = request.store;
  const stream = request.worktreeStream(path);
  for (;;) {
    const { current, version } = await readFolder(log, stream);
    if (current === id) return undefined;
    const holder = current === undefined ? undefined : await holderOfRun(leases, current);
    if (holder !== undefined)
      return {
        status: 'refused',
        runId: id,
        reason: `${current} is at work in this folder, looked after by ${holder.by}`,
        advice: `Stop it first: devs stop ${current}; or run without --here.`,
      };
    const done = await log.append(stream, version, [{ type: RUN_OPENED, data: { run: id, worktree: path } }]);
    if (done.status === 'appended') return undefined;
  }
}

/** The run that the folder has now. */
async function readFolder(log: Pick<EventLog, 'read'>, stream: string) {
  let current: string | undefined;
  let version = 0;
  for (let after = 0; ; ) {
    const events = await log.read({ stream, after, limit: PAGE });
    for (const { type, data } of events) if (type === RUN_OPENED) current = String(data.run);
    version = events.at(-1)?.version ?? version;
    after = events.at(-1)?.position ?? after;
    if (events.length < PAGE) return { current, version };
  }
}

const PAGE = 500;

/** How long a task may stay claimed without anybody saying so. */
const TASK_MS = 120_000;

/** The task of the run, still its own or claimed again; nothing where it has none. */
export async function holdTask(
  request: RunRequest,
  { id: runId, record }: OpenedRun,
): Promise<HeldTask | undefined | Refused> {
  const { store, by } = request;
  const { task } = record.facts;
  if (task === undefined) return undefined;
  const hold = async (fence: number): Promise<HeldTask> => {
    await record.append({ type: 'task.held', taskId: task.id, fence });
    return { id: task.id, fence };
  };
  const claimed = request.runId === undefined ? undefined : request.claimed;
  if (claimed?.id === task.id) {
    const beat = await store.tasks.heartbeat({ ...claimed, leaseMs: TASK_MS });
    if (beat === 'renewed') return hold(claimed.fence);
  }
  const refused = (reason: string): Refused => ({
    status: 'refused',
    runId,
    reason: `its task ${task.id} ${reason}`,
    advice: `Look at it: devs task show ${task.id}.`,
  });
  const found = await store.tasks.get(task.id);
  if (found === undefined) return refused('is not in the queue any more');
  if (found.status === 'in_progress' && found.fence === task.fence) {
    const beat = await store.tasks.heartbeat({ ...task, leaseMs: TASK_MS });
    if (beat === 'renewed') return task;
  }
  if (found.status === 'done') return task; // nothing is left but to say so
  if (found.status === 'blocked') await store.tasks.unblock(task.id);
  if (found.status === 'failed') await store.tasks.retry(task.id);
  const claim = await store.tasks.claim({ by, leaseMs: TASK_MS, id: task.id });
  if (claim.status !== 'claimed')
    return refused(claim.status === 'refused' ? `cannot be claimed: ${claim.message}` : 'is held by somebody else');
  return hold(claim.fence);
}

/** What is asked of the agent, as a task. */
export const taskOf = (
  facts: RunFacts,
): { readonly id: string; readonly intent: string; readonly description?: string } => {
  const [intent = '', ...rest] = (facts.plan?.request ?? '').trim().split('\n');
  const description = rest.join('\n').trim();
  return { id: facts.task?.id ?? facts.id, intent, ...(description === '' ? {} : { description }) };
};

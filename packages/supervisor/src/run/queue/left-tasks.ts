import { isUnfinished, type RunFacts, type Store, type TaskRecord, type TaskStatus } from '@devs/core';
import type { RunIndex } from './run-index.js';

/** A task with its run, whose holder may be gone. */
export interface AbandonedTask {
  readonly task: TaskRecord;
  readonly run: RunFacts;
}

export interface LeftTask {
  readonly taskId: string;
  readonly why: string;
}

/**
 * Possibly abandoned tasks: claimed, and in an unfinished run; or settled, by a run without a recorded end. Taking one
 * shows whether its holder is gone.
 */
export async function abandonedTasks(
  { tasks }: Pick<Store, 'tasks'>,
  runs: RunIndex,
): Promise<readonly AbandonedTask[]> {
  const found: AbandonedTask[] = [];
  for (const task of await readTasks(tasks, ['in_progress'])) {
    const run = await runs.findOf(task.id);
    // Another number: it was claimed again since, and the new holder has not started yet.
    if (run !== undefined && run.task?.fence === task.fence) found.push({ task, run });
  }
  for (const run of await runs.read()) {
    if (run.left === undefined || !isUnfinished(run) || run.task === undefined) continue;
    const task = await tasks.get(run.task.id);
    if (task?.fence === run.task.fence && (task.status === 'done' || task.status === 'failed'))
      found.push({ task, run });
  }
  return found;
}

/** Tasks that could not be started, with the reason. Excludes those that can be started the next time. */
export async function leftTasks(
  { tasks }: Pick<Store, 'tasks'>,
  ended: ReadonlyMap<string, { readonly status: string; readonly why?: string }>,
  labels: readonly string[],
): Promise<readonly LeftTask[]> {
  const left: LeftTask[] = [];
  for (const task of await readTasks(tasks, ['blocked', 'in_progress', 'pending'])) {
    const how = ended.get(task.id);
    if (how?.status === 'troubled') left.push({ taskId: task.id, why: how.why ?? '' });
    else if (how === undefined || how.status === 'held') {
      const why = whyLeft(task, labels);
      if (why !== undefined) left.push({ taskId: task.id, why });
    }
  }
  return left;
}

function whyLeft(
  { status, reason = '', lease, open_dependencies: open, needs = [] }: TaskRecord,
  labels: readonly string[],
): string | undefined {
  if (status === 'blocked') return `it is blocked: ${reason}`;
  if (status === 'in_progress') return `${lease?.by ?? 'somebody'} has claimed it`;
  if (open.length > 0) return `it waits for ${open.join(', ')}`;
  const missing = needs.filter((need) => !labels.includes(need));
  return missing.length === 0 ? undefined : `it needs ${missing.join(' and ')}, which this machine does not have`;
}

const PAGE = 200;

async function readTasks(tasks: Store['tasks'], statuses: readonly TaskStatus[]): Promise<readonly TaskRecord[]> {
  const found: TaskRecord[] = [];
  for (;;) {
    const page = await tasks.list({ statuses, offset: found.length, limit: PAGE });
    found.push(...page.tasks);
    if (page.tasks.length < PAGE) return found;
  }
}

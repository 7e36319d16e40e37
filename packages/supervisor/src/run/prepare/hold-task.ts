import { DEFAULT_TIMING, type HeldTask } from '../../supervision.js';
import type { RunRequest } from '../run.js';
import type { OpenedRun } from './open-run.js';
import type { Refused } from './refused.js';

/** The task of the run, still its own or claimed again; nothing where it has none. */
export async function holdTask(
  request: RunRequest,
  { id: runId, record }: OpenedRun,
): Promise<HeldTask | undefined | Refused> {
  const { store, by } = request;
  const leaseMs = request.timing?.claimMs ?? DEFAULT_TIMING.claimMs;
  const { task } = record.facts;
  if (task === undefined) return undefined;
  const hold = async (fence: number): Promise<HeldTask> => {
    await record.append({ type: 'task.held', taskId: task.id, fence });
    return { id: task.id, fence };
  };
  const claimed = request.runId === undefined ? undefined : request.claimed;
  if (claimed?.id === task.id) {
    const beat = await store.tasks.heartbeat({ ...claimed, leaseMs });
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
  if (found.status === 'done') return task; // nothing is left but to say so
  const isHeld = found.status === 'in_progress' && found.fence === task.fence && found.lease?.by === by;
  if (isHeld && (await store.tasks.heartbeat({ ...task, leaseMs })) === 'renewed') return task;
  if (found.status === 'failed') await store.tasks.retry(task.id);
  // In one step, also from the supervisor before us: a task that is anybody's for a moment may be claimed by anybody.
  const after = found.status === 'in_progress' ? task.fence : found.fence;
  const claim = await store.tasks.claim({ by, leaseMs, id: task.id, after });
  if (claim.status !== 'claimed')
    return refused(claim.status === 'refused' ? `cannot be claimed: ${claim.message}` : 'is held by another run');
  return hold(claim.fence);
}

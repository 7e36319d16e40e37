import type { RunFacts, Store } from '@devs/core';
import type { HeldTask } from '../supervision.js';
import { taskOf } from './prepare-run.js';
import type { RunResult } from './run-result.js';

const LEASE_MS = 60_000;

/**
 * Leaves in the queue what came of the run: its own task is done or failed; a run without one leaves a task under its name, so
 * that later prompts show it. `false`: the task became somebody else's meanwhile.
 */
export async function settleTask(
  { tasks }: Pick<Store, 'tasks'>,
  facts: RunFacts,
  { held, by, result }: { readonly held: HeldTask | undefined; readonly by: string; readonly result: RunResult },
): Promise<boolean> {
  const task = held ?? (await claimOwn(tasks, facts, by));
  if (task === undefined) return true;
  const { outcome, detail } = result;
  const settled =
    outcome === 'done'
      ? await tasks.complete({ ...task, ...(result.result === '' ? {} : { result: result.result }) })
      : await tasks.fail({ ...task, reason: `${detail}\n${result.result}`.trim() });
  if (settled.status === 'ok') return true;
  const now = await tasks.get(task.id);
  return now !== undefined && now.fence === task.fence && (now.status === 'done' || now.status === 'failed');
}

async function claimOwn(tasks: Store['tasks'], facts: RunFacts, by: string): Promise<HeldTask | undefined> {
  const { id, intent } = taskOf(facts);
  const found = await tasks.get(id);
  if (found?.status === 'done' || found?.status === 'failed') return undefined; // told before a crash
  if (found?.status === 'in_progress') return { id, fence: found.fence };
  if (found === undefined) await tasks.add([{ id, intent: intent === '' ? id : intent }]);
  const claim = await tasks.claim({ by, leaseMs: LEASE_MS, id });
  return claim.status === 'claimed' ? { id, fence: claim.fence } : undefined;
}

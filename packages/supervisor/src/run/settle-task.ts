import type { RunFacts, Store } from '@devs/core';
import type { HeldTask } from '../supervision.js';
import type { RunResult } from './run-result.js';
import { taskOf } from './task-of.js';

/**
 * Leaves the outcome of the run in the queue: its own task is done or failed; a run without one leaves a task under
 * its name, so that later prompts show it. `false`: the task was claimed by another meanwhile.
 */
export async function settleTask(
  { tasks }: Pick<Store, 'tasks'>,
  facts: RunFacts,
  { held, by, result }: { readonly held: HeldTask | undefined; readonly by: string; readonly result: RunResult },
): Promise<boolean> {
  const task = held ?? (await leaveTask(tasks, facts));
  const { outcome, detail } = result;
  const settled =
    outcome === 'done'
      ? await tasks.complete({ ...task, ...(result.result === '' ? {} : { result: result.result }) })
      : await tasks.fail({ ...task, reason: `${detail}\n${result.result}`.trim() });
  if (settled.status === 'ok') return true;
  const again = await claimAgain(tasks, held, by);
  if (again !== undefined) return settleTask({ tasks }, facts, { held: again, by, result });
  const now = await tasks.get(task.id);
  const isStill = held === undefined || now?.fence === held.fence;
  return isStill && (now?.status === 'done' || now?.status === 'failed');
}

const LEASE_MS = 60_000;

/** It was given back, e.g. after a failed renewal, and is still free. */
async function claimAgain(
  tasks: Store['tasks'],
  held: HeldTask | undefined,
  by: string,
): Promise<HeldTask | undefined> {
  const now = held === undefined ? undefined : await tasks.get(held.id);
  if (now?.status !== 'pending' || now.fence !== held?.fence) return undefined;
  const claim = await tasks.claim({ by, leaseMs: LEASE_MS, id: now.id });
  if (claim.status !== 'claimed') return undefined;
  return claim.fence === now.fence + 1 ? { id: now.id, fence: claim.fence } : undefined;
}

/**
 * Under the name of the run. It must not be started: it is done as soon as it is stored, and a crash may come in
 * between.
 */
async function leaveTask(tasks: Store['tasks'], facts: RunFacts): Promise<{ readonly id: string }> {
  const { id, intent } = taskOf(facts);
  const isThere = (await tasks.get(id)) !== undefined;
  if (!isThere) await tasks.add([{ id, intent: asIntent(intent) || id, blocked: 'Its run is being finished.' }]);
  return { id };
}

const MAX_CHARS = 500;

/** What people write may be longer than an intent, and hold what is no text. */
const asIntent = (text: string): string => {
  const plain = text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, ' ')
    .replaceAll('```', '')
    .trim();
  return [...plain].slice(0, MAX_CHARS).join('');
};

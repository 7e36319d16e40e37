import { CONTEXT_REFRESH_GIT_TIMEOUT_MS, type RenewalEvent } from '@devs/core';
import { gitCommitForRefresh, saveCheckpoint } from '@devs/worktree';
import type { Supervision } from '../supervision.js';

type Kept = Extract<RenewalEvent, { type: 'checkpoint.saved' | 'checkpoint.skipped' }>;

/** Keeps the work as it is, in the way that the user chose. That it cannot be kept is no reason to stop. */
export async function keepCheckpoint(
  { name, seat, record, checkpoints, patience }: Supervision,
  newAgentId: string,
): Promise<Kept> {
  const { folder, env } = seat.place;
  const { signal } = patience;
  if (checkpoints === 'none') return skipped('switched off');
  const message = `devs: ${name} before renewal ${record.facts.renewalsStarted}`;
  if (checkpoints === 'private') {
    const request = { terminal: name, id: newAgentId, number: record.facts.renewalsStarted, message };
    const saved = await saveCheckpoint(folder, request, { env, signal, limits: LIMITS });
    signal.throwIfAborted();
    if (saved.outcome === 'saved') return { type: 'checkpoint.saved', ref: saved.ref, commit: saved.commit };
    return skipped(saved.outcome === 'failed' ? saved.message : saved.outcome);
  }
  const push = checkpoints === 'branch-and-push';
  const timeoutMs = CONTEXT_REFRESH_GIT_TIMEOUT_MS;
  const committed = await gitCommitForRefresh(folder, { message, push, timeoutMs, env, signal });
  signal.throwIfAborted();
  if (committed.outcome === 'committed') return { type: 'checkpoint.saved', ref: 'HEAD', commit: committed.commit };
  return skipped('reason' in committed ? committed.reason : committed.outcome);
}

const LIMITS = { timeMs: CONTEXT_REFRESH_GIT_TIMEOUT_MS };

const skipped = (reason: string): Kept => ({ type: 'checkpoint.skipped', reason });

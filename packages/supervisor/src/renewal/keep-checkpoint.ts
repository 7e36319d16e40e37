import { CONTEXT_REFRESH_GIT_TIMEOUT_MS, type RenewalEvent } from '@devs/core';
import { gitCommitForRefresh, type LeftOut, saveCheckpoint } from '@devs/worktree';
import type { Supervision } from '../supervision.js';

type Kept = Extract<RenewalEvent, { type: 'checkpoint.saved' | 'checkpoint.skipped' }>;

/** Keeps the work as it is, in the way that the user chose. That it cannot be kept is no reason to stop. */
export async function keepCheckpoint(
  { name, agentProcess, record, checkpoints, patience }: Supervision,
  newAgentId: string,
): Promise<Kept> {
  const { folder, env } = agentProcess.place;
  const { signal } = patience;
  if (checkpoints === 'none') return skipped('switched off');
  const message = `devs: ${name} before renewal ${record.facts.renewalsStarted}`;
  if (checkpoints === 'private') {
    const request = { terminal: name, id: newAgentId, number: record.facts.renewalsStarted, message };
    const saved = await saveCheckpoint(folder, request, { env, signal, limits: LIMITS });
    signal.throwIfAborted();
    if (saved.outcome === 'saved') return kept(saved.ref, saved);
    return skipped(saved.outcome === 'failed' ? saved.message : saved.outcome);
  }
  const push = checkpoints === 'branch-and-push';
  const timeoutMs = CONTEXT_REFRESH_GIT_TIMEOUT_MS;
  const committed = await gitCommitForRefresh(folder, { message, push, timeoutMs, env, signal });
  signal.throwIfAborted();
  if (committed.outcome === 'committed') return kept('HEAD', committed);
  return skipped('reason' in committed ? committed.reason : committed.outcome);
}

const LIMITS = { timeMs: CONTEXT_REFRESH_GIT_TIMEOUT_MS };

/** The log is no place for a list of thousands. */
const MAX_NAMED = 20;

function kept(
  ref: string,
  { commit, leftOut }: { readonly commit: string; readonly leftOut: readonly LeftOut[] },
): Kept {
  const named = leftOut.slice(0, MAX_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  const more = leftOut.length > MAX_NAMED ? [`${leftOut.length - MAX_NAMED} more files`] : [];
  return { type: 'checkpoint.saved', ref, commit, ...(named.length === 0 ? {} : { leftOut: [...named, ...more] }) };
}

const skipped = (reason: string): Kept => ({ type: 'checkpoint.skipped', reason });

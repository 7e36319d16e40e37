import { gitCommitForRefresh, readRunCommits, runCommand } from '@devs/worktree';
import type { RunFolder } from './prepare-run.js';
import type { RunParts } from './run.js';
import type { RunRecord } from './run-record.js';

export interface EvidenceRequest {
  readonly id: string;
  readonly record: RunRecord;
  readonly folder: RunFolder;
  readonly parts: Pick<RunParts, 'settings' | 'place'>;
  readonly commandMs: number;
  readonly signal: AbortSignal;
}

/** What shows what came of a run: its commits, and the checks. What was done before a crash is not done again. */
export async function gatherRunEvidence({
  id,
  record,
  folder,
  parts,
  commandMs,
  signal,
}: EvidenceRequest): Promise<void> {
  const { env } = parts.place;
  const { path, base, branch } = folder;
  // On a branch of its own what the agent left uncommitted would be lost with the work tree.
  if (branch !== undefined) await gitCommitForRefresh(path, { message: `What ${id} left uncommitted\n`, env, signal });
  if (base !== undefined) {
    const commits = await readRunCommits({ folder: path, base, env, signal });
    await record.append({
      type: 'commits.observed',
      commits: commits.map(({ hash, subject }) => ({ hash, subject })),
    });
  }
  for (const command of parts.settings.checks) {
    const isRun = record.facts.checks.some((ran) => JSON.stringify(ran.command) === JSON.stringify(command));
    if (isRun) continue;
    const { exitCode, tail } = await runCommand({ command, folder: path, env, timeMs: commandMs, signal });
    signal.throwIfAborted();
    await record.append({ type: 'check.ran', command, exitCode, tail: tail.slice(-MOST_TAIL) });
  }
}

const MOST_TAIL = 4_000;

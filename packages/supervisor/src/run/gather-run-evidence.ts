import type { LeftWork } from '@devs/core';
import { keepRunWork, readRunCommits, runCommand } from '@devs/worktree';
import type { RunFolder } from './prepare/prepare-folder.js';
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
  // On a branch of its own what the agent left uncommitted would be lost with the work tree. Before the checks, which leave files.
  const message = `What ${id} left uncommitted\n`;
  const isLookedAt = record.facts.left !== undefined && record.facts.checks.length > 0;
  if (branch !== undefined && base !== undefined && !isLookedAt) {
    const left = await keepRunWork({ folder: path, branch, message, env, signal });
    signal.throwIfAborted();
    const commits = await readRunCommits({ folder: path, base, tip: branch, env, signal });
    signal.throwIfAborted();
    await record.append({
      type: 'commits.observed',
      commits: commits.map(({ hash, subject }) => ({ hash, subject })),
      left: fewOf(left),
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
const MOST_LEFT = 50;

function fewOf(left: readonly LeftWork[]): readonly LeftWork[] {
  if (left.length <= MOST_LEFT) return left;
  return [...left.slice(0, MOST_LEFT), { what: `${left.length - MOST_LEFT} more`, why: 'too many to list' }];
}

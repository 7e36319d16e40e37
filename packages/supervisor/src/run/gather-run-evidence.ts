import { type Command, type LeftWork, sandboxSettingsOf } from '@devs/core';
import { type KeptWork, keepRunWork, openSandbox, readRunCommits, runCommand } from '@devs/worktree';
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

/** git failed, or did not answer, where the work of a run had to be committed: the run is not done. */
export class WorkNotKeptError extends Error {
  override readonly name = 'WorkNotKeptError';
  readonly question = 'The work of the run could not be committed. What should happen?';

  constructor({ left, failure, branch, folder }: KeptWork & { readonly branch: string; readonly folder: string }) {
    const named = left.slice(0, MAX_NAMED).map(({ what }) => what);
    const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : '';
    super(`Not on ${branch}: ${named.join(', ')}${more} (${failure}). The files are in ${folder}.`);
  }
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
    const { left, failure } = await keepRunWork({ folder: path, branch, message, env, signal });
    signal.throwIfAborted();
    if (failure !== undefined) throw new WorkNotKeptError({ left, failure, branch, folder: path });
    const commits = await readRunCommits({ folder: path, base, tip: branch, env, signal });
    signal.throwIfAborted();
    await record.append({
      type: 'commits.observed',
      commits: commits.map(({ hash, subject }) => ({ hash, subject })),
      left: fewOf(left),
    });
  }
  const isRun = (command: Command) =>
    record.facts.checks.some((ran) => JSON.stringify(ran.command) === JSON.stringify(command));
  const left = parts.settings.checks.filter((command) => !isRun(command));
  if (left.length === 0) return;
  const { folder: project, home } = parts.place;
  const opened = await openSandbox({ folder: path, project, home, env, settings: sandboxSettingsOf(parts.settings) });
  try {
    for (const command of left) {
      const { exitCode, tail } =
        opened.status === 'refused'
          ? { exitCode: NOT_RUN, tail: `${opened.reason}. ${opened.advice}` }
          : await runCommand({ command, folder: path, env, timeMs: commandMs, signal, sandbox: opened.sandbox });
      signal.throwIfAborted();
      await record.append({ type: 'check.ran', command, exitCode, tail: tail.slice(-MAX_TAIL) });
    }
  } finally {
    if (opened.status === 'open') await opened.sandbox.close();
  }
}

/** As a shell says it of a program that it may not start. */
const NOT_RUN = 126;

const MAX_TAIL = 4_000;
const MAX_LEFT = 50;
const MAX_NAMED = 5;

function fewOf(left: readonly LeftWork[]): readonly LeftWork[] {
  if (left.length <= MAX_LEFT) return left;
  return [...left.slice(0, MAX_LEFT), { what: `${left.length - MAX_LEFT} more`, why: 'too many to list' }];
}

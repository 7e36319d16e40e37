import { type Printed, printGit } from '../print-git.js';
import { createGit } from '../run-git.js';

export interface DiffRequest {
  /** The run's work tree, or the project where that is gone. */
  readonly folder: string;
  readonly base: string;
  /** The branch; without it what lies in the folder, committed or not. */
  readonly tip?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const GIT_MS = 60_000;

/** Changes of a run since its start, as a patch. */
export function diffRun({ folder, base, tip, env }: DiffRequest): Promise<Printed> {
  const git = createGit({ folder, env, timeMs: GIT_MS });
  return printGit(git, ['diff', '--no-ext-diff', '--no-textconv', base, ...(tip === undefined ? [] : [tip]), '--']);
}

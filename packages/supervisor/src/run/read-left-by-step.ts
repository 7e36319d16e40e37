import { leftByStepNote, type RunFacts } from '@devs/core';
import { readWorktree } from '@devs/worktree';

export interface LeftByStepRequest {
  readonly folder: string;
  readonly facts: RunFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const LIMITS = { timeMs: 5_000, files: 100, commits: 100 };
const SECOND_MS = 1_000;

/** What git shows of the step that the run is in, for the agent that takes it up again. Nothing where git does not say. */
export async function readLeftByStep({ folder, facts, env }: LeftByStepRequest): Promise<string | undefined> {
  const { stepAt } = facts;
  if (stepAt === undefined) return undefined;
  const reading = await readWorktree(folder, { env, limits: LIMITS }).catch(() => undefined);
  if (reading?.outcome !== 'read') return undefined;
  const since = Math.floor(stepAt / SECOND_MS) * SECOND_MS; // git knows no parts of a second: one too many is named rather than one too few
  const { commits, changes } = reading.worktree;
  return leftByStepNote({
    commits: commits.filter(({ at }) => Date.parse(at) >= since),
    changes: changes.map(({ path }) => path),
  });
}

import type { RunFacts } from '@devs/core';
import { type ElsewhereWork, findRunWorktree, type MissingWork } from '@devs/worktree';
import type { RunRequest } from '../run.js';
import type { Refused } from './refused.js';

/** How far the run came, if its last holder worked in another clone. Pure. */
export function wasElsewhere(
  { clone }: Pick<RunRequest, 'clone'>,
  { begun, worktree, head }: RunFacts,
): ElsewhereWork | undefined {
  if (clone === undefined || begun?.clone === undefined || begun.clone === clone) return undefined;
  const branch = worktree?.branch;
  return { ...(branch === undefined ? {} : { branch }), ...(head === undefined ? {} : { commit: head }) };
}

/** Continuing without these commits would do the work again, and two branches of one name would be there. */
export async function whyElsewhere(
  { place }: Pick<RunRequest, 'place'>,
  { id, plan, begun }: RunFacts,
  { branch, commit, isBehind }: MissingWork,
): Promise<Refused> {
  const isOwn = begun !== undefined; // else it has not worked anywhere
  const where = plan === undefined ? 'the clone that has it' : `${plan.folder}, where ${begun?.by ?? 'it'} had it last`;
  const refused = (reason: string, advice: string): Refused => ({
    status: 'refused',
    runId: id,
    reason,
    advice,
    isElsewhere: true,
  });
  if (commit === undefined)
    return refused(
      `${id} was begun in another clone, which has recorded none of its commits`,
      `Resume it in ${where}.`,
    );
  const lacks = `commit ${commit.slice(0, 10)}${branch === undefined ? '' : ` of ${branch}`} is not in this clone`;
  const found = isBehind ? await findRunWorktree({ folder: place.folder, runId: id, env: place.env }) : undefined;
  const refspec = isBehind && found === undefined ? `${branch}:${branch}` : (branch ?? 'BRANCH');
  const bring =
    plan?.place === 'here' || found !== undefined
      ? `git -C ${found?.top ?? place.folder} pull --ff-only REMOTE ${refspec}`
      : `git fetch REMOTE ${refspec}`;
  const advice = `Push it from the clone that has it (git push REMOTE ${branch ?? 'BRANCH'}), then here: ${bring}.`;
  if (!isOwn) return refused(`${id} builds on work that is missing: ${lacks}`, advice);
  return refused(`${id} continued in another clone: ${lacks}`, `Resume it in ${where}. Or: ${lowerFirst(advice)}`);
}

const lowerFirst = (text: string) => `${text[0]?.toLowerCase()}${text.slice(1)}`;

import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { commonFolder } from '../change-worktrees.js';
import type { NotRead } from '../locate-worktree.js';
import type { Git } from '../run-git.js';
import { askCommitAt } from './commits-of.js';

const LARGEST_LOG = 8 * 1024 * 1024;

export type Trust = { readonly outcome: 'trusted' } | { readonly outcome: 'moved'; readonly reason: string } | NotRead;

/**
 * Whether a branch was moved without git. A command of another run can do that, since git needs a writable refs
 * folder; but it cannot write the reflog. So the reflog must record every move up to the current commit. Without a
 * reflog there is nothing to compare.
 */
export async function readTrust(git: Git, root: string, branch: string): Promise<Trust> {
  const first = await compare(git, root, branch);
  if (first.outcome !== 'moved') return first;
  await pauseFor(SETTLE_MS); // git writes the log before the branch, and may be between the two
  return compare(git, root, branch);
}

const SETTLE_MS = 100;

async function compare(git: Git, root: string, branch: string): Promise<Trust> {
  const common = await commonFolder(git, root);
  const moves = common === undefined ? [] : await readMoves(join(common, 'logs', 'refs', 'heads', branch));
  const tip = await askCommitAt(git, `refs/heads/${branch}`);
  if (tip.outcome !== 'printed' && tip.outcome !== 'no') return tip;
  const isBroken = moves.some(({ from }, index) => index > 0 && from !== moves[index - 1]?.to);
  const isWhereLogged = moves.length === 0 || (tip.outcome === 'printed' && tip.text === moves.at(-1)?.to);
  if (isWhereLogged && !isBroken) return { outcome: 'trusted' };
  return { outcome: 'moved', reason: `something else than git moved ${branch}` };
}

interface Move {
  readonly from: string;
  readonly to: string;
}

async function readMoves(log: string): Promise<readonly Move[]> {
  const facts = await lstat(log).catch(() => undefined);
  if (facts?.isFile() !== true || facts.size > LARGEST_LOG) return [];
  const text = await readFile(log, 'latin1').catch(() => '');
  return [...text.matchAll(/^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /gm)].map(([, from = '', to = '']) => ({ from, to }));
}

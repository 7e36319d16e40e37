import { realpath } from 'node:fs/promises';
import { changeWorktrees } from '../change-worktrees.js';
import { saveCheckpoint } from '../checkpoint/save-checkpoint.js';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { createGit } from '../run-git.js';
import { discardWorktree } from '../run-worktree/discard-worktree.js';
import { type FindRequest, findRemains } from '../run-worktree/find-run-worktree.js';
import { baseRef, runBranch } from '../run-worktree/run-place.js';

const GIT_MS = 120_000;

/**
 * Removes what is left here of a run that begins anew: none of it was said to others. Its files are kept as a checkpoint
 * first.
 */
export async function discardRun(request: FindRequest): Promise<NotRead | undefined> {
  const { runId, env, signal } = request;
  const folder = await realpath(request.folder).catch(() => undefined);
  if (folder === undefined) return { outcome: 'no-folder' };
  const place = await locateWorktree(createGit({ folder, env, timeMs: GIT_MS, signal }));
  if (place.outcome !== 'located') return place;
  const { root } = place;
  const git = createGit({ folder: root, env, timeMs: GIT_MS, signal });
  const remains = await findRemains(git, { root, folder, runId }, request);
  for (const found of remains) {
    if (found.kind === 'unread') return found.why;
    const about = { terminal: runId, id: 'before-anew', number: 1, message: `devs: ${runId} before it began anew\n` };
    const saved =
      found.kind === 'begun'
        ? undefined
        : await saveCheckpoint(found.top, about, { env, ...(signal === undefined ? {} : { signal }) });
    if (saved !== undefined && saved.outcome !== 'saved') return saved;
  }
  await changeWorktrees({ git, root, signal }, async () => {
    for (const { top } of remains) await discardWorktree(git, top);
    await printGit(git, ['branch', '--quiet', '-D', runBranch(runId)]);
    await printGit(git, ['update-ref', '-d', baseRef(runId)]);
  });
  return undefined;
}

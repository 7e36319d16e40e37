import { readHead } from '@devs/worktree';
import type { KnownRun } from './known-run.js';

/** Records how far the work of a run has come, so that nobody continues it where these commits are missing. */
export async function observeHead({ record, folder, request }: KnownRun): Promise<void> {
  if (request.clone === undefined) return; // nobody could continue it in another clone
  const commit = await readHead({ folder: folder.path, env: request.place.env });
  if (commit !== undefined && commit !== record.facts.head) await record.append({ type: 'head.observed', commit });
}

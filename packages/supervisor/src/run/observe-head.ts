import { readHead } from '@devs/worktree';
import type { KnownRun } from './known-run.js';

/** Records the progress of a run, so that it is not continued where these commits are missing. */
export async function observeHead({ record, folder, request }: KnownRun): Promise<void> {
  if (request.clone === undefined) return; // it could not be continued in another clone
  const commit = await readHead({ folder: folder.path, env: request.place.env });
  if (commit !== undefined && commit !== record.facts.head) await record.append({ type: 'head.observed', commit });
}

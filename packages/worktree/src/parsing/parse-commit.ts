import type { Commit } from '../worktree.js';

/** For `git log -z`: a hash, the seconds since 1970, and the subject, which may hold anything but a NUL. */
export const COMMIT_FORMAT = '%H %ct %s';

export function parseCommit(record: string): Commit | undefined {
  const [, hash, seconds, subject = ''] = /^([0-9a-f]{40,64}) (\d{1,11}) ?([\s\S]*)$/.exec(record) ?? [];
  if (hash === undefined) return undefined;
  return { hash, subject, at: new Date(Number(seconds) * 1_000).toISOString() };
}

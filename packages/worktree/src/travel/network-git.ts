import { realpath } from 'node:fs/promises';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { createGit, type Git } from '../run-git.js';

export interface RemoteRequest {
  readonly folder: string;
  /** Its name in this clone, such as `origin`. */
  readonly remote: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const NETWORK_MS = 120_000;

/** A push or fetch reaches out, which looking at the repository must not. No program of the user's asks anybody. */
export const NETWORK: Readonly<Record<string, string>> = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' };

export async function openClone({
  folder,
  env,
  signal,
}: RemoteRequest): Promise<{ readonly outcome: 'open'; readonly git: Git } | NotRead> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return { outcome: 'no-folder' };
  const place = await locateWorktree(createGit({ folder: real, env, timeMs: NETWORK_MS, signal }));
  if (place.outcome !== 'located') return place;
  return { outcome: 'open', git: createGit({ folder: place.root, env, timeMs: NETWORK_MS, signal }) };
}

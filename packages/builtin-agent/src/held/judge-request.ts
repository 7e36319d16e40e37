import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  decidePermissionRequest,
  type PermissionRequest,
  type PermissionRules,
  type PermissionVerdict,
} from '@devs/core';

export interface JudgingPlace {
  /** The worktree. */
  readonly folder: string;
  readonly user: { readonly home: string };
  readonly permissions: PermissionRules;
}

/** What the user's rules say to a request whose paths are as the agent gave them. */
export function judgeRequest(
  request: PermissionRequest,
  { folder, user, permissions }: JudgingPlace,
): PermissionVerdict {
  const paths = request.paths.map((path) => followed(resolve(folder, path)));
  return decidePermissionRequest({ ...request, paths }, permissions, { folder: followed(folder), home: user.home });
}

/** Where links lead, as far as the path exists. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(followed(parent), basename(path));
  }
}

import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printGit } from '../print-git.js';
import type { Git } from '../run-git.js';
import type { ChangedFile } from '../worktree.js';
import { isSecretByName, lookForSecrets } from './look-for-secrets.js';

export interface LeftOut {
  readonly path: string;
  readonly reason: 'secret' | 'too large' | 'unreadable' | 'a repository of its own';
}

export interface ChosenFiles {
  readonly kept: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

export interface ChoiceRequest {
  readonly git: Git;
  readonly root: string;
  readonly changes: readonly ChangedFile[];
  /** The most of one file. */
  readonly mostBytes: number;
  /** Secrets that this commit already contains are not held back. Missing in a repository without commits. */
  readonly commit: string | undefined;
}

/** Scan limit for one checkpoint, all files together. More would delay the renewal. */
const MAX_BYTES_IN_ALL = 64 << 20;

/**
 * Selects the changed files to keep, for a checkpoint and for uncommitted work of a run. Ignored files are excluded,
 * and huge files are never read.
 */
export async function chooseFiles({ git, root, changes, mostBytes, commit }: ChoiceRequest): Promise<ChosenFiles> {
  const kept: string[] = [];
  const leftOut: LeftOut[] = [];
  let bytesLeft = MAX_BYTES_IN_ALL;
  const isCommitted = (path: string, secrets: readonly string[]) => holdsAll(git, commit, path, secrets);
  for (const { path, from, submodule } of changes) {
    const looked = submodule === undefined ? await lookAt(root, path, Math.min(mostBytes, bytesLeft)) : NOTHING_FOUND;
    bytesLeft -= looked.bytes;
    const isKnown = looked.secrets.length > 0 && (await isCommitted(from ?? path, looked.secrets));
    const reason = looked.reason ?? (looked.secrets.length > 0 && !isKnown ? 'secret' : undefined);
    if (reason === undefined) kept.push(path);
    else leftOut.push({ path, reason });
    if (from !== undefined) kept.push(from);
  }
  return { kept, leftOut };
}

interface Looked {
  readonly bytes: number;
  /** Why the file is left out, regardless of its content. */
  readonly reason?: LeftOut['reason'];
  readonly secrets: readonly string[];
}

const NOTHING_FOUND: Looked = { bytes: 0, secrets: [] };

async function lookAt(root: string, path: string, mostBytes: number): Promise<Looked> {
  if (path.endsWith('/')) return { ...NOTHING_FOUND, reason: 'a repository of its own' };
  if (isSecretByName(path)) return { ...NOTHING_FOUND, reason: 'secret' };
  const file = join(root, path);
  try {
    const found = await lstat(file);
    if (!found.isFile()) return NOTHING_FOUND; // a link is kept as a link
    if (found.size > mostBytes) return { ...NOTHING_FOUND, reason: 'too large' };
    return lookInto(await readFile(file));
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return isGone ? NOTHING_FOUND : { ...NOTHING_FOUND, reason: 'unreadable' };
  }
}

function lookInto(content: Buffer): Looked {
  const bytes = content.length;
  const { secrets, isBinarySecret } = lookForSecrets(content);
  return isBinarySecret ? { bytes, secrets, reason: 'secret' } : { bytes, secrets };
}

/** Whether the commit already has these secrets in the same file. Committed secrets did not come from this work. */
export async function holdsAll(
  git: Git,
  commit: string | undefined,
  path: string,
  secrets: readonly string[],
): Promise<boolean> {
  if (commit === undefined) return false;
  const committed = await printGit(git, ['cat-file', 'blob', `${commit}:${path}`]);
  return committed.outcome === 'printed' && secrets.every((secret) => committed.text.includes(secret));
}

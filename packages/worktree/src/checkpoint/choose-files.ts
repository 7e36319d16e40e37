import { lstat, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { holdsKnownSecret } from '@devs/core';
import type { ChangedFile } from '../worktree.js';

export interface LeftOut {
  readonly path: string;
  readonly reason: 'secret' | 'too large' | 'unreadable' | 'a repository of its own';
}

export interface ChosenFiles {
  readonly kept: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** Which changed files a checkpoint holds. What is ignored is not among them, and what is huge is never read. */
export async function chooseFiles(
  root: string,
  changes: readonly ChangedFile[],
  mostBytes: number,
): Promise<ChosenFiles> {
  const kept: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const { path, from, submodule } of changes) {
    const reason = submodule === undefined ? await whyNot(root, path, mostBytes) : undefined;
    if (reason === undefined) kept.push(path);
    else leftOut.push({ path, reason });
    if (from !== undefined) kept.push(from);
  }
  return { kept, leftOut };
}

async function whyNot(root: string, path: string, mostBytes: number): Promise<LeftOut['reason'] | undefined> {
  if (path.endsWith('/')) return 'a repository of its own';
  if (SECRET_NAMES.test(basename(path)) && !HARMLESS_NAMES.test(basename(path))) return 'secret';
  const file = join(root, path);
  try {
    const found = await lstat(file);
    if (!found.isFile()) return undefined; // a link is kept as a link
    if (found.size > mostBytes) return 'too large';
    return holdsKnownSecret(await readText(file, found.size)) ? 'secret' : undefined;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return isGone ? undefined : 'unreadable';
  }
}

/** Files whose purpose is to hold one. */
const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|.+\.env|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml)|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i;
const HARMLESS_NAMES = /\.(?:example|sample|template|dist)$/i;

const MOST_TEXT = 1 << 20;

async function readText(file: string, size: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(size, MOST_TEXT));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

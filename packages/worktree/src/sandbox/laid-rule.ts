import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { arrangeRules, foldersBetween, redactText, type SandboxRule } from '@devs/core';

/** A rule about an existing path, and its replacement if there is one. */
export interface LaidRule extends SandboxRule {
  readonly isFolder: boolean;
  /** Shown in its place: a scratch folder, an empty file, or a copy without secrets. */
  readonly instead?: string;
}

const MAX_BYTES = 1_048_576;

/**
 * Applies the rules to existing paths, as real paths. Copies and scratch folders go into `folder`, which belongs to
 * the sandbox. Synchronous: a hundred lookups of mostly missing names take a millisecond, through other threads fifty.
 */
export function layRules(rules: readonly SandboxRule[], folder: string): readonly LaidRule[] {
  const real = rules.map(findReal).filter((rule) => rule !== undefined);
  return arrangeRules([...real, ...foldersBetween(real)])
    .map((rule) => lay(rule, join(folder, nameOf(rule))))
    .filter((rule) => rule !== undefined);
}

/** The same for every command: what one leaves in a scratch place, the next finds there. */
const nameOf = ({ what, path }: SandboxRule): string =>
  `${what}-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;

function findReal(rule: SandboxRule): SandboxRule | undefined {
  const found = realPath(rule.path);
  if (found !== undefined) return { ...rule, path: found };
  if (rule.make === undefined) return undefined;
  try {
    if (rule.make === 'folder') mkdirSync(rule.path, { recursive: true });
    else {
      mkdirSync(dirname(rule.path), { recursive: true });
      closeSync(openSync(rule.path, 'a'));
    }
  } catch {
    return undefined; // nor can the command make it
  }
  const made = realPath(rule.path);
  return made === undefined ? undefined : { ...rule, path: made };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function lay(rule: SandboxRule, place: string): LaidRule | undefined {
  // `bigint`: after a plain statSync of a socket, Node 20 resolves imports without following links.
  const facts = statSync(rule.path, { throwIfNoEntry: false, bigint: true });
  if (facts === undefined) return undefined; // gone in the meantime
  const isFolder = facts.isDirectory();
  switch (rule.what) {
    case 'show':
    case 'write':
      return { ...rule, isFolder };
    case 'scratch':
      mkdirSync(place, { recursive: true });
      return { ...rule, isFolder, instead: place };
    case 'hide':
      return isFolder ? { ...rule, isFolder } : { ...rule, isFolder, instead: writeCopy(place, '') };
    case 'redact': {
      if (isFolder) return { ...rule, what: 'hide', isFolder };
      const text = readSmall(rule.path, facts);
      const redacted = redactText(text ?? '');
      return redacted === text
        ? { ...rule, what: 'show', isFolder }
        : { ...rule, isFolder, instead: writeCopy(place, redacted) };
    }
  }
}

/** `undefined` for anything but a regular file of plausible size. */
function readSmall(path: string, facts: BigIntStats): string | undefined {
  try {
    return facts.isFile() && facts.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function writeCopy(path: string, text: string): string {
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

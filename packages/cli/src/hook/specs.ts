import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { SPEC_FOLDERS, type SpecKind, specKindOf } from '@devs/core/hooks';
import type { HookSettings, NamedSpec } from './hook-settings.js';

export interface Specs {
  readonly tas: string | undefined;
  readonly prd: string | undefined;
  /** Of what is in them; nothing where there are none. */
  readonly digest: string | undefined;
}

/** The specs of a project: the files that are named, else the first of each kind that is found by its name. */
export function readSpecs(root: string, named: HookSettings['specs']): Specs {
  const found = named.tas !== undefined && named.prd !== undefined ? {} : findSpecs(root);
  const read = (kind: SpecKind) => {
    const path = named[kind] ?? found[kind];
    return path === undefined ? undefined : readStart(resolve(root, path.file), path.isFromUser ? undefined : root);
  };
  const tas = read('tas');
  const prd = read('prd');
  return { tas, prd, digest: tas === undefined && prd === undefined ? undefined : digestOf([tas, prd]) };
}

function findSpecs(root: string): HookSettings['specs'] {
  const found: { [kind in SpecKind]?: NamedSpec } = {};
  for (const folder of SPEC_FOLDERS) {
    for (const name of namesIn(join(root, folder))) {
      const kind = specKindOf(name);
      if (kind !== undefined) found[kind] ??= { file: join(folder, name), isFromUser: false };
    }
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

const LONGEST_SPEC_BYTES = 1 << 20;

/**
 * Not more of it than anybody writes by hand. Nothing where there is no such file, or where it leads out of `within`: what comes
 * with a repository must not bring the user's other files before a model.
 */
function readStart(file: string, within: string | undefined): string | undefined {
  let handle: number;
  try {
    if (within !== undefined && !realpathSync(file).startsWith(join(realpathSync(within), sep))) return undefined;
    handle = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(handle);
    if (!found.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(found.size, LONGEST_SPEC_BYTES));
    return buffer.toString('utf8', 0, readSync(handle, buffer));
  } finally {
    closeSync(handle);
  }
}

const digestOf = (texts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex');

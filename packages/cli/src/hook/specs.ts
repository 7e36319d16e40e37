import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { SPEC_FOLDERS, type SpecKind, specKindOf } from '@devs/core/hooks';
import { readProjectFile } from '@devs/worktree/project-file';
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
    return path === undefined ? undefined : readSpec(root, path);
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

/** Nothing where there is no such file, or where it is none that a project may bring before a model. */
function readSpec(root: string, { file, isFromUser }: NamedSpec): string | undefined {
  const path = resolve(root, file);
  const found = isFromUser ? readProjectFile(parse(path).root, path) : readProjectFile(root, path);
  return found.status === 'read' ? found.text : undefined;
}

const digestOf = (texts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex');

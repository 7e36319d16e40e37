import { readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ReinjectionSettings } from '@devs/core';
import { SPEC_FOLDERS, type SpecKind, specKindOf } from '@devs/core/hooks';
import type { SpecFiles } from './agent-arguments.js';

/** The specs of a project: those that are named, else the first of each kind that is found by its name. Absolute. */
export function findSpecFiles(root: string, named: Pick<ReinjectionSettings, 'tas' | 'prd'>): SpecFiles {
  const found: { [kind in SpecKind]?: string } = {};
  for (const folder of SPEC_FOLDERS) {
    for (const name of namesIn(join(root, folder))) {
      const kind = specKindOf(name);
      if (kind !== undefined) found[kind] ??= join(root, folder, name);
    }
  }
  for (const kind of ['tas', 'prd'] as const) {
    const path = named[kind];
    const file = path === undefined ? undefined : within(root, path);
    if (file !== undefined) found[kind] = file;
  }
  return found;
}

/** What comes with a repository must not bring the user's other files before a model. */
function within(root: string, path: string): string | undefined {
  try {
    const file = realpathSync(join(root, path));
    return file.startsWith(join(realpathSync(root), sep)) ? file : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

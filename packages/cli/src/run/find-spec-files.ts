import { readdirSync, realpathSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { ProjectTexts, ReinjectionSettings } from '@devs/core';
import { SPEC_FOLDERS, type SpecKind, specKindOf } from '@devs/core/hooks';
import { readProjectFile } from '@devs/worktree/project-file';
import type { SpecFiles } from './agent-arguments.js';

/** The specs of a project: those that are named, else the first of each kind that is found by its name. Absolute. */
export function findSpecFiles(root: string, named: Pick<ReinjectionSettings, 'tas' | 'prd'>): SpecFiles {
  const found: { [kind in SpecKind]?: string } = {};
  for (const folder of SPEC_FOLDERS) {
    for (const name of namesIn(join(root, folder))) {
      const kind = specKindOf(name);
      const file = kind === undefined || found[kind] !== undefined ? undefined : within(root, join(folder, name));
      if (kind !== undefined && file !== undefined) found[kind] = file;
    }
  }
  for (const kind of ['tas', 'prd'] as const) {
    const path = named[kind];
    const file = path === undefined ? undefined : within(root, path);
    if (file !== undefined) found[kind] = file;
  }
  return found;
}

/** What comes with a repository must not bring the user's other files before a model, nor what never ends. */
function within(root: string, path: string): string | undefined {
  const file = resolve(root, path);
  return readProjectFile(root, file).status === 'read' ? realpathSync(file) : undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** What a project says of itself, read as every file of a project is: regular, inside of it, of bounded size. */
export function projectTexts(root: string, specs: SpecFiles): ProjectTexts {
  const read = (path: string): string | undefined => {
    const found = readProjectFile(root, path);
    return found.status === 'read' ? found.text : undefined;
  };
  const readme = readmeIn(root);
  return {
    folderName: basename(root),
    readme: readme === undefined ? undefined : read(readme),
    packageJson: read('package.json'),
    specs: [specs.tas, specs.prd]
      .filter((path) => path !== undefined)
      .map((path) => ({ path: relative(root, path), text: read(path) ?? '' })),
  };
}

function readmeIn(root: string): string | undefined {
  try {
    return readdirSync(root)
      .sort()
      .find((name) => /^readme(?:\.(?:md|markdown|txt|rst))?$/i.test(name));
  } catch {
    return undefined;
  }
}

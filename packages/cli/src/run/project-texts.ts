import { readdirSync } from 'node:fs';
import { basename, relative } from 'node:path';
import type { ProjectTexts } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import type { SpecFiles } from './agent-arguments.js';

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

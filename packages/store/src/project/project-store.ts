import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { excludeFromGit } from './exclude-from-git.js';
import { findProjectRoot } from './find-project-root.js';

export interface ProjectStore {
  /** The top of the git work tree, or the folder itself. */
  readonly root: string;
  /** The SQLite file with everything devs remembers of the project. */
  readonly file: string;
}

/** Where the store of the project is that the folder belongs to. Looks, and makes nothing. */
export function locateProjectStore(folder: string): ProjectStore {
  const root = findProjectRoot(folder);
  return { root, file: join(root, '.devs', 'state.db') };
}

/** Before the first write: `.devs/` for the user alone, and out of git. A folder that cannot be made is the store's to report. */
export function prepareProjectStore({ root }: ProjectStore): void {
  try {
    mkdirSync(join(root, '.devs'), { mode: 0o700 });
  } catch {}
  excludeFromGit(root);
}

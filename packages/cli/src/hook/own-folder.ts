import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareProjectStore } from '@devs/store/project-store';

/** In `.devs/`. */
export const HOOK_FOLDER = 'hooks';

class LinkedFolderError extends Error {
  readonly code = 'HOOK_FOLDER_LINKED';

  constructor(folder: string) {
    super(`${folder} is no folder of its own, but leads elsewhere. Remove it, and the hooks will make it anew.`);
  }
}

/** The folder of the hooks in a project. A repository may bring a link of that name, which would lead us into other folders. */
export interface OwnFolder {
  readonly path: string;
  /** Whether it is there. Throws where it is something else than a folder of the project. */
  exists(): boolean;
  /** Makes it, kept out of git. */
  make(): void;
}

export function ownFolder(root: string): OwnFolder {
  const above = join(root, '.devs');
  const path = join(above, HOOK_FOLDER);
  const isThere = (folder: string): boolean => {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory()) throw new LinkedFolderError(folder);
    return found !== undefined;
  };
  const exists = () => isThere(above) && isThere(path);
  return {
    path,
    exists,
    make() {
      if (exists()) return;
      prepareProjectStore({ root, file: '' });
      mkdirSync(path, { mode: 0o700 });
    },
  };
}

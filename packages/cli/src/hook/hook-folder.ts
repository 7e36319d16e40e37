import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectIndexFile, type UserDirs } from '@devs/store/project-index-file';

/** In `.devs/` of the project, where earlier versions kept it; no longer read, as a repository could bring it. */
export const OLD_HOOK_FOLDER = 'hooks';

/** Names the project that a folder is about, also once the project is gone. */
const PROJECT_FILE = 'project';

/** The hooks' folder for one project. */
export interface HookFolder {
  readonly path: string;
  /** Makes it. Throws where that is not possible. */
  make(): void;
  /** Removes such folders, of every project, in which no file was made or replaced since then: the project may be gone. */
  removeIdle(timeMs: number): void;
}

/**
 * In the user's own state, so that every file there was made by this user; `undefined` if they have no place for it.
 */
export function hooksHome(place: UserDirs): string | undefined {
  const index = projectIndexFile(place);
  return index === undefined ? undefined : join(dirname(index), 'hooks');
}

export function hookFolder(home: string, root: string): HookFolder {
  const project = realpathSync(root);
  const path = join(home, nameOf(project));
  return {
    path,
    make() {
      if (existsSync(join(path, PROJECT_FILE))) return;
      mkdirSync(path, { recursive: true, mode: 0o700 });
      writeFileSync(join(path, PROJECT_FILE), project, { mode: 0o600 });
    },
    removeIdle(timeMs) {
      for (const name of namesIn(home)) {
        const found = statSync(join(home, name), { throwIfNoEntry: false });
        if (found?.isDirectory() && found.mtimeMs < timeMs) rmSync(join(home, name), { recursive: true, force: true });
      }
    },
  };
}

/** The first part is for people; the second distinguishes projects of one name. */
const nameOf = (project: string): string =>
  `${basename(project).replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(project).digest('hex').slice(0, 32)}`;

/** Every folder of hooks that says which project it is about. */
export function listHookFolders(home: string): readonly { readonly path: string; readonly project: string }[] {
  return namesIn(home).flatMap((name) => {
    const path = join(home, name);
    try {
      return [{ path, project: readFileSync(join(path, PROJECT_FILE), 'utf8') }];
    } catch {
      return [];
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}

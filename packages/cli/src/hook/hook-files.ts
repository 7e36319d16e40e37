import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareProjectStore } from '@devs/store/project-store';

/**
 * What hooks keep of a project: files in `.devs/hooks/`, for the user alone. They are caches: whatever is wrong with one
 * of them, it counts as not there.
 *
 * Files and not the store: to load SQLite takes a third of the time that a hook may take.
 */
export interface HookFiles {
  readonly folder: string;
  /** A JSON value; nothing where there is none, or only a damaged one. */
  readonly read: (name: string) => unknown;
  /** Whole or not at all, however many do it at once. Throws where the folder cannot be written. */
  readonly write: (name: string, value: unknown) => void;
  readonly list: () => readonly string[];
  /** Those that nobody has written since then. */
  readonly removeOlderThan: (timeMs: number) => void;
}

/** In `.devs/`. */
export const HOOK_FOLDER = 'hooks';

export function createHookFiles(root: string, newId: () => string): HookFiles {
  const folder = join(root, '.devs', HOOK_FOLDER);
  const list = () => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  return {
    folder,
    list,
    read(name) {
      try {
        return JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;
      } catch {
        return undefined;
      }
    },
    write(name, value) {
      const draft = join(folder, `${name}.${newId()}.tmp`);
      try {
        makeFolder(root, folder);
        writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
        renameSync(draft, join(folder, name));
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
    },
    removeOlderThan(timeMs) {
      for (const name of list()) {
        const file = join(folder, name);
        const found = statSync(file, { throwIfNoEntry: false });
        if (found?.isFile() && found.mtimeMs < timeMs) rmSync(file, { force: true });
      }
    },
  };
}

function makeFolder(root: string, folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  prepareProjectStore({ root, file: '' });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProjectFile } from '@devs/worktree/project-file';
import type { HookFolder } from './hook-folder.js';

/**
 * Files of the hooks for a project, in the user's own state and readable only by the user. They are caches: a damaged
 * file counts as missing. Not in the project: their text reaches agents, and a repository could bring such files.
 *
 * Files and not the store: loading SQLite takes a third of a hook's time limit.
 */
export interface HookFiles {
  /** A JSON value; nothing where there is none, or only a damaged one. */
  readonly read: (name: string) => unknown;
  /** Whole or not at all, however many do it at once. Throws where the folder cannot be written. */
  readonly write: (name: string, value: unknown) => void;
  readonly list: () => readonly string[];
  /** Removes our files not written since then, also of other projects. */
  readonly removeOlderThan: (timeMs: number) => void;
}

const MAX_BYTES = 32 << 20;

export function createHookFiles(folder: HookFolder, newId: () => string): HookFiles {
  const fileAt = (name: string) => join(folder.path, name);
  const list = () => {
    try {
      return readdirSync(folder.path).filter((name) => OURS.test(name));
    } catch {
      return [];
    }
  };
  return {
    list,
    read(name) {
      try {
        const found = readProjectFile(folder.path, name, MAX_BYTES);
        return found.status === 'read' ? (JSON.parse(found.text) as unknown) : undefined;
      } catch {
        return undefined;
      }
    },
    write(name, value) {
      folder.make();
      const draft = fileAt(`${name}.${newId()}.tmp`);
      try {
        writeFileSync(draft, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
        renameSync(draft, fileAt(name));
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
    },
    removeOlderThan(timeMs) {
      for (const name of list()) {
        const found = lstatSync(fileAt(name), { throwIfNoEntry: false });
        if (found?.isFile() && found.mtimeMs < timeMs) rmSync(fileAt(name), { force: true });
      }
      folder.removeIdle(timeMs);
    },
  };
}

/** Other files are not ours. */
const OURS = /\.json(?:\.[\w-]+\.tmp)?$/;

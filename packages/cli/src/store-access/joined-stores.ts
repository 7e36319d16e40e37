import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A clone's own identity, and the shared stores that it has joined. */
export interface Joined {
  /** The name of its repository, as the stores know it. */
  readonly repository?: string;
  /** The id of each store, by its address. */
  readonly stores: Readonly<Record<string, string>>;
}

const NOTHING: Joined = { stores: {} };

/** In the folder of git: no clone, no commit and no archive brings it. */
export const joinedFile = (gitFolder: string): string => join(gitFolder, 'devs', 'stores.json');

export function readJoined(file: string | undefined): Joined {
  if (file === undefined) return NOTHING;
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as { repository?: unknown; stores?: unknown } | null;
    const stores = Object.entries((found?.stores ?? {}) as Record<string, unknown>);
    return {
      ...(typeof found?.repository === 'string' ? { repository: found.repository } : {}),
      stores: Object.fromEntries(stores.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    };
  } catch {
    return NOTHING;
  }
}

/** A clone that cannot be written to is asked again the next time. */
export function writeJoined(file: string, joined: Joined): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(joined, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}

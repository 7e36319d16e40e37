import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commonFolder } from './change-worktrees.js';
import { createGit } from './run-git.js';

export interface CloneRequest {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const GIT_MS = 10_000;
const FILE = join('devs', 'clone.json');

/**
 * Id of this clone, created on first use. git does not copy it into other clones, and all work trees share it.
 * `undefined` without a repository or without write access.
 */
export async function readCloneId({ folder, env }: CloneRequest): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return undefined;
  const common = await commonFolder(createGit({ folder: real, env, timeMs: GIT_MS }), real);
  if (common === undefined) return undefined;
  const known = await read(common);
  if (known === undefined) return write(common, 'new');
  if (known.place === common) return known.id;
  // Moved here, or copied with `cp -r` from a clone that is still there and keeps its id.
  const original = await read(known.place);
  return original?.id === known.id ? write(common, 'instead') : known.id;
}

interface CloneNote {
  readonly id: string;
  /** The git folder that it was made in. */
  readonly place: string;
}

async function read(common: string): Promise<CloneNote | undefined> {
  try {
    const note = JSON.parse(await readFile(join(common, FILE), 'utf8')) as Partial<CloneNote> | null;
    return typeof note?.id === 'string' && typeof note.place === 'string'
      ? { id: note.id, place: note.place }
      : undefined;
  } catch {
    return undefined;
  }
}

/** `new`: of two who write at once the first one counts. */
async function write(common: string, how: 'new' | 'instead'): Promise<string | undefined> {
  const file = join(common, FILE);
  const note: CloneNote = { id: randomUUID(), place: common };
  const draft = `${file}.${note.id}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    if (how === 'instead') await rename(draft, file);
    else await link(draft, file);
  } catch {
    // not writable, or another process was faster
  }
  await rm(draft, { force: true }).catch(() => {});
  return (await read(common))?.id;
}

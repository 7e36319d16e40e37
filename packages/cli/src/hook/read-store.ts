import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Store, WorkflowRun } from '@devs/core';
import type { HookFiles } from './hook-files.js';
import { renderOpenInStore } from './render-open-in-store.js';

type RecordParts = Pick<typeof import('@devs/core'), 'createRunFold' | 'openStore' | 'redactText' | 'runStream'> &
  Pick<typeof import('@devs/mcp/worktree-stream'), 'worktreeStream'>;

interface OpenInStoreDeps {
  readonly files: HookFiles;
  /** The store of the project; there may be none. */
  readonly storeFile: string;
  readonly root: string;
  readonly folder: string;
  /** Whether the user made or joined the store; with its id, once it is opened. */
  readonly isKnown: (id?: string) => Promise<boolean>;
  readonly loadStores: () => Promise<typeof import('@devs/store')>;
  readonly loadRecords: () => Promise<RecordParts>;
  readonly now: () => number;
  readonly newId: () => string;
}

const CACHE = 'store.json';

/**
 * What the store has open: blocked tasks, those in progress, and the workflow run of the folder. To open it takes longer
 * than a hook should: as long as nobody has written to it, what was read before is told.
 */
export const createReadOpenInStore = (deps: OpenInStoreDeps) => async (): Promise<string | undefined> => {
  const { files, storeFile, folder } = deps;
  const mark = [markOf(storeFile), markOf(`${storeFile}-wal`), folder].join(' ');
  if (!isSqlite(storeFile) || !(await deps.isKnown())) return undefined;
  const cached = files.read(CACHE) as { readonly mark?: unknown; readonly text?: unknown } | undefined;
  if (cached?.mark === mark) return typeof cached.text === 'string' ? cached.text : undefined;
  const text = await read(deps);
  files.write(CACHE, { mark, text });
  return text;
};

function markOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.size}:${found.mtimeMs}`;
}

/** One that is damaged is left to a command that can tell the user: opening it would put it aside. */
function isSqlite(file: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return false;
  }
  try {
    const start = Buffer.alloc(15);
    return readSync(handle, start) === start.length && start.toString('latin1') === 'SQLite format 3';
  } catch {
    return false;
  } finally {
    closeSync(handle);
  }
}

async function read(deps: OpenInStoreDeps): Promise<string | undefined> {
  const { storeFile, now, newId } = deps;
  const [stores, parts] = await Promise.all([deps.loadStores(), deps.loadRecords()]);
  const backend = stores.openSqliteBackend({ file: storeFile, now });
  const store = parts.openStore({ backend, clock: { now }, newId });
  try {
    if (!(await deps.isKnown(await backend.id()))) return undefined;
    const blocked = await store.tasks.list({ statuses: ['blocked'], limit: MOST_TASKS });
    const inProgress = await store.tasks.list({ statuses: ['in_progress'], limit: MOST_TASKS });
    const run = await readRun(deps, store, parts);
    const text = renderOpenInStore({ blocked, inProgress, run });
    return text === undefined ? undefined : parts.redactText(text);
  } finally {
    await store.close();
  }
}

const MOST_TASKS = 3;
const MOST_EVENTS = 20_000;

/** The run of the folder, where one goes on. */
async function readRun(
  { root, folder }: OpenInStoreDeps,
  { log }: Store,
  { createRunFold, runStream, worktreeStream }: RecordParts,
): Promise<WorkflowRun | undefined> {
  const place = worktreeStream({ worktree: realpathSync(folder), repoRoot: realpathSync(root) });
  const opened = (await log.read({ stream: place, limit: MOST_EVENTS })).findLast(({ type }) => type === 'run.opened');
  if (opened === undefined) return undefined;
  const fold = createRunFold();
  fold.add(await log.read({ stream: runStream(String(opened.data.run)), limit: MOST_EVENTS }));
  return fold.run?.state.status === 'running' ? fold.run : undefined;
}

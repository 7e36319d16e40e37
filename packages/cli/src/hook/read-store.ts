import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { ContextOptions, MinimalState, Store, TaskPage, TaskRecord, WorkflowRun } from '@devs/core';
import { RECORDS_CHARS } from './handoff-room.js';
import type { HookFiles } from './hook-files.js';

interface OpenInStore {
  readonly blocked: TaskPage;
  readonly inProgress: TaskPage;
  /** The active run. */
  readonly run: WorkflowRun | undefined;
}

/** A few lines, each about one thing; nothing where nothing is open. */
function renderOpenInStore({ blocked, inProgress, run }: OpenInStore): string | undefined {
  const lines = [
    ...(run === undefined ? [] : [describeRun(run)]),
    ...blocked.tasks.map((task) => `- blocked: ${nameOf(task)}${because(task)}`),
    ...more(blocked, 'blocked'),
    ...inProgress.tasks.map((task) => `- in progress: ${nameOf(task)}`),
    ...more(inProgress, 'in progress'),
  ];
  return lines.length === 0 ? undefined : ['Open in the records of devs:', ...lines].join('\n');
}

const LONGEST = 90;

function describeRun({ template, state }: WorkflowRun): string {
  const task = state.task === undefined ? '' : `, task “${short(state.task.title)}”`;
  return `- the workflow “${short(template.name)}” is at step ${short(state.step)}${task}; the tool workflow_status says what to do`;
}

const nameOf = ({ id, intent }: TaskRecord): string => `${short(id)} “${short(intent)}”`;

const because = ({ reason }: TaskRecord): string => (reason === undefined ? '' : `: ${short(reason)}`);

const more = ({ tasks, total }: TaskPage, what: string): readonly string[] =>
  total > tasks.length ? [`- … and ${total - tasks.length} more ${what}`] : [];

/** In one line, so that nothing in it can pass for an instruction of its own. */
function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** JSON and its fence cost more than words do. */
const CHARS_PER_TOKEN = 4;
const FRAME_CHARS = 300;

/** The last finished tasks and all blockers, within a number of characters; nothing where there are neither. */
function renderQueue(
  { completed_tasks = [], blocked_tasks = [] }: MinimalState,
  mostChars: number,
  contextSection: (state: MinimalState, options: ContextOptions) => string,
): string | undefined {
  if (completed_tasks.length === 0 && blocked_tasks.length === 0) return undefined;
  const contextTokens = Math.floor((mostChars - FRAME_CHARS) / CHARS_PER_TOKEN);
  const whole = contextSection({ completed_tasks, blocked_tasks }, { contextTokens });
  return whole.length <= mostChars ? whole : namesOf(blocked_tasks, mostChars);
}

/** Where even their names are too many. */
function namesOf(blocked: NonNullable<MinimalState['blocked_tasks']>, mostChars: number): string {
  const start = `devs: ${blocked.length} tasks of the queue are blocked (\`devs task list\` shows all of them): `;
  const names = blocked.map(({ task_id }) => task_id).join(', ');
  const room = mostChars - start.length - 1;
  return `${start}${names.length <= room ? names : `${names.slice(0, room)}…`}`;
}

type RecordParts = Pick<
  typeof import('@devs/core'),
  | 'buildMinimalState'
  | 'contextSection'
  | 'createRunFold'
  | 'followOpenedRun'
  | 'openStore'
  | 'redactText'
  | 'runStream'
> &
  Pick<typeof import('@devs/mcp/worktree-stream'), 'worktreeStream'>;

export interface StoreTexts {
  /** What is open, in a few lines: blocked tasks, those in progress, and the workflow run of the folder. */
  readonly open?: string;
  /** The last finished tasks and all blockers, as every prompt has them. */
  readonly queue?: string;
}

interface ReadStoreDeps {
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
const CACHE_VERSION = 2;

/**
 * The texts of the store. Opening it takes longer than a hook should: an unchanged store is answered from the last
 * reading.
 */
export const createReadStore = (deps: ReadStoreDeps) => async (): Promise<StoreTexts> => {
  const { files, storeFile, folder } = deps;
  const mark = [markOf(storeFile), markOf(`${storeFile}-wal`), folder].join(' ');
  if (!isSqlite(storeFile) || !(await deps.isKnown())) return {};
  const cached = files.read(CACHE) as { readonly version?: unknown; readonly mark?: unknown } & StoreTexts;
  if (cached?.version === CACHE_VERSION && cached.mark === mark) return textsOf(cached);
  const texts = await read(deps);
  files.write(CACHE, { version: CACHE_VERSION, mark, ...texts });
  return texts;
};

const textsOf = ({ open, queue }: StoreTexts): StoreTexts => ({
  ...(typeof open === 'string' ? { open } : {}),
  ...(typeof queue === 'string' ? { queue } : {}),
});

function markOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.size}:${found.mtimeMs}`;
}

/** A damaged file is left to a command that can tell the user: opening it would move it aside. */
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

async function read(deps: ReadStoreDeps): Promise<StoreTexts> {
  const { storeFile, now, newId } = deps;
  const [stores, parts] = await Promise.all([deps.loadStores(), deps.loadRecords()]);
  const backend = stores.openSqliteBackend({ file: storeFile, now });
  const store = parts.openStore({ backend, clock: { now }, newId });
  try {
    if (!(await deps.isKnown(await backend.id()))) return {};
    const blocked = await store.tasks.list({ statuses: ['blocked'], limit: MAX_TASKS });
    const inProgress = await store.tasks.list({ statuses: ['in_progress'], limit: MAX_TASKS });
    const run = await readRun(deps, store, parts);
    const open = renderOpenInStore({ blocked, inProgress, run });
    const queue = renderQueue(parts.buildMinimalState(await store.state()), RECORDS_CHARS, parts.contextSection);
    return {
      ...(open === undefined ? {} : { open: parts.redactText(open) }),
      ...(queue === undefined ? {} : { queue: parts.redactText(queue) }),
    };
  } finally {
    await store.close();
  }
}

const MAX_TASKS = 3;
const MAX_EVENTS = 20_000;

/** The active run of the folder, if any. */
async function readRun(
  { root, folder }: ReadStoreDeps,
  { log }: Store,
  { createRunFold, followOpenedRun, runStream, worktreeStream }: RecordParts,
): Promise<WorkflowRun | undefined> {
  const place = worktreeStream({ worktree: realpathSync(folder), repoRoot: realpathSync(root) });
  const id = await followOpenedRun(log, place).read();
  if (id === undefined) return undefined;
  const fold = createRunFold();
  fold.add(await log.read({ stream: runStream(id), limit: MAX_EVENTS }));
  return fold.run?.state.status === 'running' ? fold.run : undefined;
}

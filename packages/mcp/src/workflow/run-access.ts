import {
  createRunFold,
  type NewEvent,
  type RunFold,
  type RunStart,
  runStarted,
  runStream,
  type Store,
  StoreContendedError,
  type WorkflowRun,
} from '@devs/core';
import { createStreamCursor, type StreamCursor } from './stream-cursor.js';
import { WorkflowToolError } from './workflow-tool-error.js';

/** The run of one worktree, as all processes see it. */
export interface RunAccess {
  /** After everything that others have stored was taken in. `undefined` where none was started. */
  current(): Promise<WorkflowRun | undefined>;
  /** For decisions stored with {@link append}, which detects stale ones. */
  lastKnown(): Promise<WorkflowRun | undefined>;
  /** Returns the current run; starts a new one if there is none or if the current one is `after`. */
  start(start: RunStart, after: string | undefined): Promise<WorkflowRun>;
  /** Id of the current run, even if it cannot be read. */
  openedId(): string | undefined;
  /** Stores events decided on `run`. `undefined` if another process was faster: decide again on the current run. */
  append(run: WorkflowRun, events: readonly NewEvent[]): Promise<WorkflowRun | undefined>;
  /** Whether a supervisor that is alive holds the run. */
  isSupervised(run: WorkflowRun): Promise<boolean>;
  /** Something about the worktree that belongs to no position. */
  note(event: NewEvent): Promise<void>;
}

interface RunAccessDeps {
  readonly store: Store;
  /** The stream that names the runs of the worktree, the last one the current. */
  readonly worktreeStream: string;
  readonly worktree: string;
  readonly newId: () => string;
}

interface OpenedRun {
  readonly id: string;
  readonly cursor: StreamCursor;
  readonly fold: RunFold;
}

const RUN_OPENED = 'run.opened';
const NEWS_BATCH = 100;
const SHORT_ID_CHARS = 12;

export function createRunAccess({ store, worktreeStream, worktree, newId }: RunAccessDeps): RunAccess {
  let place = createStreamCursor(store.log, worktreeStream);
  let opened: OpenedRun | undefined;
  let run: WorkflowRun | undefined;
  /** Everything up to here, of both streams, is taken in. */
  let seen = 0;

  async function catchUp(): Promise<WorkflowRun | undefined> {
    // Most of the time nothing has happened, and this is cheaper than looking into both streams.
    const news = await store.log.read({ after: seen, limit: NEWS_BATCH });
    if (news.length === 0) return run;
    await takeInPlace();
    const known = Math.max(news.at(-1)?.position ?? 0, place.position);
    await takeInRun();
    const upTo = Math.max(known, opened?.cursor.position ?? 0);
    // What came to the first stream before the last of the second is there by now.
    if (await takeInPlace()) await takeInRun();
    seen = Math.max(seen, upTo);
    return run;
  }

  /** Whether there is another run now. */
  async function takeInPlace(): Promise<boolean> {
    const before = opened?.id;
    for (const { type, data } of await place.readNew()) {
      const id = String(data['run']);
      if (type === RUN_OPENED && id !== opened?.id) opened = open(id);
    }
    if (opened?.id !== before) run = undefined;
    return opened?.id !== before;
  }

  async function takeInRun(): Promise<void> {
    if (opened === undefined) return;
    const { id, cursor, fold } = opened;
    const events = await cursor.readNew();
    try {
      run = fold.add(events);
    } catch (error) {
      opened = open(id);
      run = undefined;
      const message = `Run ${id} cannot be read: ${error instanceof Error ? error.message : String(error)} Call workflow_start with restart to begin a new one.`;
      throw new WorkflowToolError('RUN_UNREADABLE', message, { cause: error });
    }
  }

  const open = (id: string): OpenedRun => ({
    id,
    cursor: createStreamCursor(store.log, runStream(id)),
    fold: createRunFold(),
  });

  /** The store knows less than this process: it was emptied or restored, so discard what is cached here. */
  function forget(): void {
    place = createStreamCursor(store.log, worktreeStream);
    opened = undefined;
    run = undefined;
    seen = 0;
  }

  return {
    current: catchUp,

    // A running run has no successor, and a concurrent write makes the append fail.
    lastKnown: async () => (run?.state.status === 'running' ? run : catchUp()),

    openedId: () => opened?.id,

    start: (start, after) =>
      untilSettled(async () => {
        // The predecessor may be unreadable.
        if (after === undefined || opened?.id !== after) await catchUp();
        if (run !== undefined && run.id !== after) return run;
        // A run that was opened without any event was interrupted here before, and continues.
        if (opened === undefined || opened.id === after) {
          const id = newId().replaceAll('-', '').slice(0, SHORT_ID_CHARS);
          const data = { run: id, worktree };
          await store.log.append(worktreeStream, place.version, [{ type: RUN_OPENED, data }]);
          await takeInPlace();
        }
        if (opened === undefined || opened.id === after) return undefined;
        if (run === undefined) await store.log.append(runStream(opened.id), 0, [runStarted(start)]);
        return catchUp();
      }),

    async append(to, events) {
      const result = await store.log.append(runStream(to.id), to.version, events);
      if (result.status !== 'appended') {
        if (result.version < to.version) forget();
        return undefined;
      }
      if (run !== to || opened?.id !== to.id) return (await catchUp())?.id === to.id ? run : undefined;
      opened.cursor.moveTo(result);
      if (result.position - events.length === seen) seen = result.position; // nothing else came in between
      run = opened.fold.add(result.events);
      return run;
    },

    isSupervised: async ({ id }) => (await store.leases.get(runStream(id))) !== undefined,

    note: (event) =>
      untilSettled(async () => {
        await takeInPlace();
        const result = await store.log.append(worktreeStream, place.version, [event]);
        if (result.status === 'conflict' && result.version < place.version) forget();
        return result.status === 'appended' ? true : undefined;
      }).then(() => {}),
  };
}

const MOST_TRIES = 100;

/** Tries until there is an answer; others may be faster a few times, not for ever. */
export async function untilSettled<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const settled = await attempt();
    if (settled !== undefined) return settled;
  }
  throw new StoreContendedError(`others changed the run ${MOST_TRIES} times in a row; try again`);
}

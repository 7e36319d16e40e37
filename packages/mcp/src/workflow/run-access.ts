import {
  type Appended,
  createRunFold,
  messageOf,
  type NewEvent,
  openedBy,
  type RunFold,
  type RunStart,
  runOpened,
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
  /** The clone that the worktree belongs to. */
  readonly clone?: string;
  readonly newId: () => string;
}

interface OpenedRun {
  readonly id: string;
  readonly cursor: StreamCursor;
  readonly fold: RunFold;
}

const NEWS_BATCH = 100;
const SHORT_ID_CHARS = 12;

export function createRunAccess(deps: RunAccessDeps): RunAccess {
  const { store, worktreeStream, clone } = deps;
  const known = new KnownRun(deps);
  return {
    current: () => known.catchUp(),

    // A running run has no successor, and a concurrent write makes the append fail.
    lastKnown: async () => (known.run?.state.status === 'running' ? known.run : known.catchUp()),

    openedId: () => known.opened?.id,

    start: (start, after) => untilSettled(() => startRun(deps, known, { start, after })),

    async append(to, events) {
      // Decided on the same version as the events: a machine that lost the run cannot change it in between.
      if (to.heldIn !== undefined && clone !== undefined && to.heldIn !== clone) throw continuedElsewhere(to.id);
      const result = await store.log.append(runStream(to.id), to.version, events);
      if (result.status === 'appended') return known.took(to, result);
      if (result.version < to.version) known.forget();
      return undefined;
    },

    isSupervised: async ({ id }) => (await store.leases.get(runStream(id))) !== undefined,

    note: (event) =>
      untilSettled(async () => {
        await known.takeInPlace();
        const { version } = known.place;
        const result = await store.log.append(worktreeStream, version, [event]);
        if (result.status === 'conflict' && result.version < version) known.forget();
        return result.status === 'appended' ? true : undefined;
      }).then(() => {}),
  };
}

/** `undefined` where another process was faster. */
async function startRun(
  { store, worktreeStream, worktree, newId }: RunAccessDeps,
  known: KnownRun,
  { start, after }: { readonly start: RunStart; readonly after: string | undefined },
): Promise<WorkflowRun | undefined> {
  const isOpen = () => known.opened !== undefined && known.opened.id !== after;
  // The predecessor may be unreadable.
  if (after === undefined || known.opened?.id !== after) await known.catchUp();
  if (known.run !== undefined && known.run.id !== after) return known.run;
  // A run that was opened without any event was interrupted here before, and continues.
  if (!isOpen()) {
    const id = newId().replaceAll('-', '').slice(0, SHORT_ID_CHARS);
    await store.log.append(worktreeStream, known.place.version, [runOpened(id, worktree)]);
    await known.takeInPlace();
  }
  if (known.opened === undefined || !isOpen()) return undefined;
  if (known.run === undefined) await store.log.append(runStream(known.opened.id), 0, [runStarted(start)]);
  return known.catchUp();
}

/** What this process knows of the worktree and of its current run. */
class KnownRun {
  place: StreamCursor;
  opened: OpenedRun | undefined;
  run: WorkflowRun | undefined;
  /** Everything up to here, of both streams, is taken in. */
  private seen = 0;

  constructor(private readonly deps: Pick<RunAccessDeps, 'store' | 'worktreeStream'>) {
    this.place = createStreamCursor(deps.store.log, deps.worktreeStream);
  }

  async catchUp(): Promise<WorkflowRun | undefined> {
    // Most of the time nothing has happened, and this is cheaper than looking into both streams.
    const news = await this.deps.store.log.read({ after: this.seen, limit: NEWS_BATCH });
    if (news.length === 0) return this.run;
    await this.takeInPlace();
    const known = Math.max(news.at(-1)?.position ?? 0, this.place.position);
    await this.takeInRun();
    const upTo = Math.max(known, this.opened?.cursor.position ?? 0);
    // What came to the first stream before the last of the second is there by now.
    if (await this.takeInPlace()) await this.takeInRun();
    this.seen = Math.max(this.seen, upTo);
    return this.run;
  }

  /** Whether there is another run now. */
  async takeInPlace(): Promise<boolean> {
    const before = this.opened?.id;
    for (const event of await this.place.readNew()) {
      const id = openedBy(event);
      if (id !== undefined && id !== this.opened?.id) this.opened = this.open(id);
    }
    if (this.opened?.id !== before) this.run = undefined;
    return this.opened?.id !== before;
  }

  /** After events of this process were stored: it knows them, and what came before. */
  async took(to: WorkflowRun, stored: Extract<Appended, { status: 'appended' }>): Promise<WorkflowRun | undefined> {
    const { opened } = this;
    if (this.run !== to || opened?.id !== to.id) return (await this.catchUp())?.id === to.id ? this.run : undefined;
    opened.cursor.moveTo(stored);
    if (stored.position - stored.events.length === this.seen) this.seen = stored.position; // nothing else came in between
    this.run = opened.fold.add(stored.events);
    return this.run;
  }

  /** The store knows less than this process: it was emptied or restored, so discard what is cached here. */
  forget(): void {
    this.place = createStreamCursor(this.deps.store.log, this.deps.worktreeStream);
    this.opened = undefined;
    this.run = undefined;
    this.seen = 0;
  }

  private async takeInRun(): Promise<void> {
    if (this.opened === undefined) return;
    const { id, cursor, fold } = this.opened;
    const events = await cursor.readNew();
    try {
      this.run = fold.add(events);
    } catch (error) {
      this.opened = this.open(id);
      this.run = undefined;
      const message = `Run ${id} cannot be read: ${messageOf(error)} Call workflow_start with restart to begin a new one.`;
      throw new WorkflowToolError('RUN_UNREADABLE', message, { cause: error });
    }
  }

  private open(id: string): OpenedRun {
    return { id, cursor: createStreamCursor(this.deps.store.log, runStream(id)), fold: createRunFold() };
  }
}

const continuedElsewhere = (id: string) =>
  new WorkflowToolError(
    'RUN_ELSEWHERE',
    `Nothing was changed: run ${id} continues on another machine. Stop working, change nothing more, and end your turn.`,
  );

const MAX_TRIES = 100;

/** Tries until there is an answer; others may be faster a few times, not for ever. */
export async function untilSettled<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const settled = await attempt();
    if (settled !== undefined) return settled;
  }
  throw new StoreContendedError(`others changed the run ${MAX_TRIES} times in a row; try again`);
}

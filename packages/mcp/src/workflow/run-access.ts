import {
  type NewEvent,
  type RunStart,
  reduceWorkflowRun,
  runStarted,
  runStream,
  type Store,
  type StoredEvent,
  type WorkflowRun,
} from '@devs/core';

/** The run of one worktree, as all processes see it. */
export interface RunAccess {
  /** After everything that others have stored was taken in. `undefined` where none was started. */
  current(): Promise<WorkflowRun | undefined>;
  /** For decisions that are stored with {@link append}, which tells when they were made on something old. */
  lastKnown(): Promise<WorkflowRun | undefined>;
  /** The run that is there, or a new one. `anew` tells whether one that is there is over and should be followed by another. */
  start(start: RunStart, anew: (run: WorkflowRun) => boolean): Promise<WorkflowRun>;
  /** Stores events that were decided on `run`. `undefined` when somebody else was faster: decide anew on what is now. */
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

const RUN_OPENED = 'run.opened';
const READ_BATCH = 1_000;
const SHORT_ID_CHARS = 8;

export function createRunAccess({ store, worktreeStream, worktree, newId }: RunAccessDeps): RunAccess {
  let opened = { id: undefined as string | undefined, version: 0 };
  let run: WorkflowRun | undefined;
  /** Up to where the whole log was taken in. */
  let position = 0;

  async function catchUp(): Promise<WorkflowRun | undefined> {
    // Most of the time nothing has happened, and this is cheaper than looking into both streams.
    const [next] = await store.log.read({ after: position, limit: 1 });
    if (next === undefined) return run;
    const last = await takeInOpened(position);
    const lastOfRun = await takeInRun(position);
    position = Math.max(next.position, last, lastOfRun);
    return run;
  }

  async function takeInOpened(after: number): Promise<number> {
    const events = await readAll(worktreeStream, after);
    for (const { type, data, version } of events) {
      const isOther = type === RUN_OPENED && data['run'] !== opened.id;
      if (isOther) run = undefined;
      opened = { id: isOther ? String(data['run']) : opened.id, version };
    }
    return events.at(-1)?.position ?? 0;
  }

  /** A run that was opened meanwhile is read from its beginning. */
  async function takeInRun(after: number): Promise<number> {
    if (opened.id === undefined) return 0;
    const events = await readAll(runStream(opened.id), run === undefined ? 0 : after);
    for (const event of events) run = takeIn(run, event);
    return events.at(-1)?.position ?? 0;
  }

  async function readAll(stream: string, after: number): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (;;) {
      const page = await store.log.read({ stream, after: events.at(-1)?.position ?? after, limit: READ_BATCH });
      events.push(...page);
      if (page.length < READ_BATCH) return events;
    }
  }

  return {
    current: catchUp,

    // A run that goes on has no successor, and whoever writes to it in between makes the append fail.
    lastKnown: async () => (run?.state.status === 'running' ? run : catchUp()),

    async start(start, anew) {
      for (;;) {
        const before = await catchUp();
        if (before !== undefined && !anew(before)) return before;
        // One that was opened and has no event was interrupted here before, and is gone on with.
        if (opened.id === undefined || before !== undefined) {
          const id = newId().slice(0, SHORT_ID_CHARS);
          await store.log.append(worktreeStream, opened.version, [{ type: RUN_OPENED, data: { run: id, worktree } }]);
          await catchUp();
        }
        if (opened.id !== undefined && run === undefined) {
          await store.log.append(runStream(opened.id), 0, [runStarted(start)]);
          await catchUp();
        }
        if (run !== undefined && run.id !== before?.id) return run;
      }
    },

    async append(to, events) {
      const result = await store.log.append(runStream(to.id), to.version, events);
      if (result.status !== 'appended') return undefined;
      if (result.position - events.length === position) position = result.position; // nothing else came in between
      if (run !== to) return (await catchUp())?.id === to.id ? run : undefined;
      for (const event of result.events) run = takeIn(run, event);
      return run;
    },

    isSupervised: async ({ id }) => (await store.leases.get(runStream(id))) !== undefined,

    async note(event) {
      for (;;) {
        await catchUp();
        if ((await store.log.append(worktreeStream, opened.version, [event])).status === 'appended') return;
      }
    },
  };
}

/** What was taken in when it was stored comes again with what is read. */
const takeIn = (run: WorkflowRun | undefined, event: StoredEvent) =>
  event.version <= (run?.version ?? 0) ? run : reduceWorkflowRun(run, event);

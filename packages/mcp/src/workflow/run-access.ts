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
  let opened = { id: undefined as string | undefined, version: 0, position: 0 };
  let folded = { run: undefined as WorkflowRun | undefined, position: 0 };

  async function catchUp(): Promise<WorkflowRun | undefined> {
    const [pages] = await Promise.all([readAll(worktreeStream, opened.position), takeIn()]);
    const before = opened.id;
    for (const { type, data, version, position } of pages) {
      opened = { id: type === RUN_OPENED ? String(data['run']) : opened.id, version, position };
    }
    if (opened.id !== before) {
      folded = { run: undefined, position: 0 };
      await takeIn();
    }
    return folded.run;
  }

  async function takeIn(): Promise<void> {
    if (opened.id === undefined) return;
    for (const event of await readAll(runStream(opened.id), folded.position)) {
      folded = { run: reduceWorkflowRun(folded.run, event), position: event.position };
    }
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

    async start(start, anew) {
      for (;;) {
        const run = await catchUp();
        if (run !== undefined && !anew(run)) return run;
        // One that was opened and has no event was interrupted here before, and is gone on with.
        if (opened.id === undefined || run !== undefined) {
          const id = newId().slice(0, SHORT_ID_CHARS);
          await store.log.append(worktreeStream, opened.version, [{ type: RUN_OPENED, data: { run: id, worktree } }]);
          await catchUp();
        }
        if (opened.id !== undefined && folded.run === undefined) {
          await store.log.append(runStream(opened.id), 0, [runStarted(start)]);
          await catchUp();
        }
        if (folded.run !== undefined && folded.run.id !== run?.id) return folded.run;
      }
    },

    async append(run, events) {
      const result = await store.log.append(runStream(run.id), run.version, events);
      const now = await catchUp();
      return result.status === 'appended' && now?.id === run.id ? now : undefined;
    },

    isSupervised: async (run) => (await store.leases.get(runStream(run.id))) !== undefined,

    async note(event) {
      for (;;) {
        await catchUp();
        if ((await store.log.append(worktreeStream, opened.version, [event])).status === 'appended') return;
      }
    },
  };
}

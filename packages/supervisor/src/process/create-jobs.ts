import type { Caller } from './port.js';
import { beginQueue, type QueuedRun, type QueueJob } from './queue-job.js';
import { beginRun, type JobDeps, type RunJob } from './run-job.js';
import { beginTerminal, type TerminalAdoption, type TerminalJob } from './terminal-job.js';
import type { TerminalOrder } from './terminal-port.js';
import { createWindows, type Windows } from './windows.js';

/** What one supervisor holds now, or held a moment ago. */
export interface Jobs {
  readonly runs: ReadonlySet<RunJob>;
  readonly queues: ReadonlySet<QueueJob>;
  readonly terminals: ReadonlySet<TerminalJob>;
  /** Those that are not over; a run of a queue counts with its queue. */
  busy(): readonly (RunJob | QueueJob | TerminalJob)[];
  /** Runs that are not over, also those of queues. */
  openRuns(): readonly (QueuedRun | RunJob)[];
  findRun(id: string): QueuedRun | RunJob | undefined;
  /** The active job, or else the last. */
  findTerminal(name: string): TerminalJob | undefined;
  /** The run whose agent works in a terminal. */
  runIn(terminal: string): QueuedRun | RunJob | undefined;
  /** Windows in front of a terminal of the user or of a run. */
  windowsOf(terminal: string): Windows;
  begin: {
    run(...order: BeginArguments<typeof beginRun>): RunJob;
    queue(...order: BeginArguments<typeof beginQueue>): QueueJob;
    terminal(order: TerminalOrder, caller: Caller, adopted?: TerminalAdoption): TerminalJob;
  };
  close(): void;
}

type BeginArguments<Startup extends (deps: JobDeps, ...rest: never[]) => unknown> =
  Parameters<Startup> extends [JobDeps, ...infer Rest] ? Rest : never;

/** How long followers of something that is over may still ask for its end. */
const REMEMBERED_MS = 5 * 60_000;

export function createJobs(deps: JobDeps): Jobs {
  const runs = new Set<RunJob>();
  const queues = new Set<QueueJob>();
  const terminals = new Set<TerminalJob>();
  const windows = new Map<string, Windows>();
  const remember = <Job extends { readonly done: Promise<void> }>(jobs: Set<Job>, job: Job): Job => {
    jobs.add(job);
    deps.onChange();
    void job.done.then(() => setTimeout(() => jobs.delete(job), REMEMBERED_MS).unref());
    return job;
  };
  const allRuns = () => [...runs, ...[...queues].flatMap((queue) => queue.runs)];
  const openRuns = () => allRuns().filter((run) => !run.isOver);
  const findTerminal = (name: string) => lastOpen([...terminals].filter((job) => job.name === name));
  const runIn = (terminal: string) =>
    openRuns().find((run) => run.news().status?.terminals.some(({ name }) => name === terminal));
  const windowsOf = (terminal: string): Windows => {
    const known = windows.get(terminal);
    if (known !== undefined) return known;
    const made = createWindows((is) => {
      const job = findTerminal(terminal);
      job?.user(is);
      job?.attended(is.attached === true);
      runIn(terminal)?.user(is);
      deps.onChange();
    });
    windows.set(terminal, made);
    return made;
  };
  return {
    runs,
    queues,
    terminals,
    busy: () => [...runs, ...queues, ...terminals].filter((job) => !job.isOver),
    openRuns,
    findRun: (id) => lastOpen(allRuns().filter((run) => run.id === id)),
    findTerminal,
    runIn,
    windowsOf,
    begin: {
      run: (...order) => remember(runs, beginRun(deps, ...order)),
      queue: (...order) => remember(queues, beginQueue(deps, ...order)),
      terminal: (order, caller, adopted) =>
        remember(
          terminals,
          beginTerminal({ ...deps, isWatched: () => !windowsOf(order.name).isEmpty }, order, caller, adopted),
        ),
    },
    close() {
      for (const own of windows.values()) own.close();
    },
  };
}

const lastOpen = <Job extends { readonly isOver: boolean }>(jobs: readonly Job[]): Job | undefined =>
  jobs.find((job) => !job.isOver) ?? jobs.at(-1);

import type { RunPlan, RunStart, Settings } from '@devs/core';
import type { UserPresence } from '../attendance.js';
import type { TerminalNotice } from '../notice.js';
import type { QueueEnd } from '../run/queue/queue-end.js';
import type { RunEnd, RunStatus, StartRunOutcome } from '../run/run.js';
import type { TerminalsPort } from './terminal-port.js';

/** Who asks: what is started for them gets this environment, and nothing of the supervisor's own. */
export interface Caller {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Where records are kept; `project`: under `.devs/` of the caller's project. */
export type StoreAddress =
  | { readonly kind: 'project' }
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'redis'; readonly url: string };

/** What runs of one order have in common. Trust, settings and workflows were resolved by the caller, who could be asked. */
interface Order {
  /** Chosen by the caller: an order that is sent twice is carried out once. */
  readonly token: string;
  readonly store: StoreAddress;
  readonly agent: string;
  readonly settings: Settings;
  readonly trustsFolder: boolean;
  /** Whether finished work is brought to the user's branch. */
  readonly merge: boolean;
}

/** A run to start, or one to continue. */
export interface RunOrder extends Order {
  /** `wait`: for an answer, with the agent idle · `pause`: the agent is ended, and `devs resume` continues. */
  readonly onEscalation: 'wait' | 'pause';
  readonly subject: { readonly runId: string } | ({ readonly plan: RunPlan } & Pick<RunStart, 'template' | 'source'>);
}

/** The tasks of a queue, each in a run of its own. */
export interface QueueOrder extends Order {
  readonly workflow: Pick<RunStart, 'template' | 'source'>;
  readonly plan: Omit<RunPlan, 'request' | 'task'>;
  /** Waits for further tasks until it is stopped, as a worker. */
  readonly serves?: true;
}

export type NotStarted = Exclude<StartRunOutcome, { status: 'started' }>;

/** What came of bringing work to the user's branch, with the words for people. */
export interface MergeNews {
  readonly isMerged: boolean;
  /** Where something was merged. */
  readonly merged?: { readonly into: string; readonly commit: string };
  readonly text: string;
}

export interface NumberedNotice {
  readonly number: number;
  readonly notice: TerminalNotice;
}

/** A run as its followers see it. Higher `revision`: newer. */
export interface RunNews {
  readonly revision: number;
  readonly run: string;
  readonly notes: readonly string[];
  /** Once its agent was started. */
  readonly status?: RunStatus;
  /** Why it was not started. */
  readonly outcome?: NotStarted;
  readonly end?: RunEnd;
  readonly merge?: MergeNews;
  /** The last of what holds up its terminal, each with a number that grows. */
  readonly notices: readonly NumberedNotice[];
  /** Nothing of it will change any more. */
  readonly isOver: boolean;
  /** The supervisor lets go of it: the next one continues. */
  readonly isLeft: boolean;
}

export interface QueueNews {
  readonly revision: number;
  readonly queue: string;
  /** In the order in which they were begun. */
  readonly runs: readonly string[];
  readonly merges: readonly { readonly run: string; readonly merge: MergeNews }[];
  readonly notices: readonly NumberedNotice[];
  readonly end?: QueueEnd;
  /** Why it could not be carried out. */
  readonly problem?: string;
  readonly isOver: boolean;
  readonly isLeft: boolean;
}

export type RunStarted = { readonly status: 'started'; readonly run: string } | NotStarted;

/** `seen`: the highest revision that the caller knows. Answers when there is a higher one, or after a while. */
export interface WaitFor {
  readonly seen: number;
}

export interface SupervisorStatus {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  /** `until-down`: it was asked to stay (`devs up`). */
  readonly keeps: 'while-busy' | 'until-down';
  /** `waits`: why it does not work on, as a sentence. */
  readonly runs: readonly {
    readonly id: string;
    readonly folder: string;
    readonly state: string;
    readonly waits?: string;
  }[];
  readonly terminals: readonly { readonly name: string; readonly folder: string; readonly waits?: string }[];
  /** What it cannot do here, for people. */
  readonly problems: readonly string[];
}

/**
 * One home for supervision, as clients see it: in the same process or over a socket.
 *
 * Contract: everything in and out is plain JSON. `wait` of something that is not known gives `undefined`: its records say how it
 * ended. Every start carries its caller's environment; keys stay in memory.
 */
export interface SupervisorPort {
  status(): Promise<SupervisorStatus>;
  /** Stays, also with nothing to supervise. */
  keep(): Promise<void>;
  /**
   * Ends. `leave`: lets go of everything between two decisions and ends no agent: the next supervisor continues · `pause`: runs are
   * paused first, since their limits are the supervisor's. Agents in terminals of the user continue either way.
   */
  shutdown(how: 'leave' | 'pause'): Promise<void>;
  readonly runs: {
    start(order: RunOrder, caller: Caller): Promise<RunStarted>;
    list(): Promise<readonly RunNews[]>;
    wait(run: string, wait: WaitFor, signal?: AbortSignal): Promise<RunNews | undefined>;
    /** `false`: it is not supervised here. */
    stop(run: string, how: { readonly now: boolean }): Promise<boolean>;
    /** Gives a run that waits for its keys the environment of a caller who still has them. */
    provide(run: string, caller: Caller): Promise<void>;
    user(run: string, is: UserPresence): Promise<void>;
  };
  readonly queues: {
    start(order: QueueOrder, caller: Caller): Promise<{ readonly queue: string }>;
    wait(queue: string, wait: WaitFor, signal?: AbortSignal): Promise<QueueNews | undefined>;
    stop(queue: string, how: { readonly now: boolean }): Promise<boolean>;
    provide(queue: string, caller: Caller): Promise<void>;
  };
  readonly terminals: TerminalsPort;
}

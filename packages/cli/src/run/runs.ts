import type { RunFacts, RunHistory, RunPlan, RunStart, Settings, Store, StoredEvent, TaskRecord } from '@devs/core';
import type { QueueEnd, RunHandle, StartRunOutcome, TerminalNotice } from '@devs/supervisor';
import type { ListedRunWorktree, MergeOutcome, Removal } from '@devs/worktree';
import type { StoreLocation } from '../store-access/store-location.js';
import type { InspectedAgent } from './choose-agent.js';

/**
 * Runs, as commands use them.
 *
 * Contract: `start` and `queue` supervise in this process, until the run is done or stopped; what was stored is told to `onEvent`
 * in order. The callbacks must not throw.
 */
export interface Runs {
  /** The agents that could do it, the best first; with those of the user's own. */
  inspect(settings: Settings): Promise<readonly InspectedAgent[]>;
  start(request: StartRequest): Promise<StartRunOutcome>;
  queue(request: QueueStart): Promise<QueueEnd>;
  /** The project, and the run's folder where it has a work tree of its own that is there: by git, whatever was stored of them. */
  placeOf(runId: string): Promise<NonNullable<RunHistory['place']>>;
  /** Brings the work of a run to the branch that is checked out in the project where the user is. */
  merge(run: RunFacts): Promise<MergeOutcome>;
  /** The work trees of the project's runs, with what is in them and nowhere else. */
  worktrees(): Promise<readonly ListedRunWorktree[]>;
  /** Removes one that holds nothing of that kind, and its branch. */
  removeWorktree(runId: string): Promise<Removal>;
  /** Whether somebody looks after the run's terminal and was asked to stop. */
  askToStop(terminal: string): Promise<boolean>;
  /** Tells the user by the program of his settings; it is not waited for. */
  tell(settings: Settings, notice: RunNotice): void;
}

export interface RunNotice {
  readonly kind: 'escalated' | 'run-ended';
  readonly run: string;
  readonly text: string;
}

export interface RunSurroundings {
  readonly settings: Settings;
  readonly agent: string;
  readonly store: Store;
  readonly location: StoreLocation;
  /** The user told devs that agents may trust the project. */
  readonly trustsFolder: boolean;
  onEvent?(event: StoredEvent): void;
  onNotice?(notice: TerminalNotice): void;
  onChange?(): void;
  readonly signal?: AbortSignal;
}

export interface StartRequest extends RunSurroundings {
  /** `wait`: for the answer, with the agent idle · `pause`: `devs resume` goes on. */
  readonly onEscalation: 'wait' | 'pause';
  readonly subject: RunSubject;
}

/** A run that is there, or what a new one is about. */
export type RunSubject = { readonly runId: string } | NewRun;

interface NewRun extends Pick<RunStart, 'template' | 'source'> {
  readonly plan: RunPlan;
}

interface QueueStart extends RunSurroundings {
  readonly workflow: Pick<RunStart, 'template' | 'source'>;
  planFor(task: TaskRecord): RunPlan;
  onRun?(run: RunHandle, task: TaskRecord): void;
  /** After a run whose task is done, before another task is begun in its place. Must not reject. */
  afterDone?(runId: string): Promise<void>;
}

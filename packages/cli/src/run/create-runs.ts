import { type RunFacts, type RunHistory, runStream, type Settings, type Store, type StoredEvent } from '@devs/core';
import type {
  Caller,
  MergeNews,
  NotStarted,
  QueueEnd,
  QueueOrder,
  RunHandle,
  RunOrder,
  RunParts,
  TerminalNotice,
} from '@devs/supervisor';
import type { ListedRunWorktree, MergeOutcome, Printed, Removal } from '@devs/worktree';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import type { InspectedAgent } from './choose-agent.js';
import { watchQueue } from './watch-queue.js';
import { saidWhenLost, watchRun } from './watch-run.js';

interface RunsDeps {
  readonly local: LocalRuns;
  readonly supervisor: SupervisorLink;
  /** Of this process: what it starts gets this environment. */
  readonly caller: Caller;
  readonly newId: () => string;
}

/** Runs that the supervisor of the user carries out, and this process follows. */
export function createRuns({ local, supervisor, caller, newId }: RunsDeps): Runs {
  const { prepare: _, openHost: __, tell: ___, ...own } = local;
  return {
    ...own,
    async start(asked, following) {
      const order = { ...asked, token: newId() };
      const { subject } = order;
      const past = 'runId' in subject ? await following.store.log.version(runStream(subject.runId)) : 0;
      const answer = await supervisor.use((port) => port.runs.start(order, caller), saidWhenLost(following));
      if (answer.status !== 'started') return answer;
      const watched = watchRun({ id: answer.run, following, order, past, supervisor, caller });
      const outcome = await watched.begun;
      if (outcome !== undefined) {
        await watched.run.done;
        return outcome;
      }
      return { status: 'started', run: watched.run, notes: watched.notes() };
    },
    queue: (asked, following) => watchQueue({ order: { ...asked, token: newId() }, following, supervisor, caller }),
    async leaveQueue(asked) {
      const order = { ...asked, token: newId() };
      await supervisor.use((port) => port.queues.start(order, caller));
    },
    askToStop: async (runId) => (await supervisor.ask((port) => port.runs.stop(runId, { now: false }))) ?? false,
  };
}

/**
 * Runs, as commands use them.
 *
 * Contract: `start` and `queue` have the user's supervisor carry it out, and follow: what is stored of the runs is told to `onEvent`
 * in order. A supervisor that is lost meanwhile is started again, which `onSaid` is told. The callbacks must not throw.
 */
export interface Runs extends Omit<LocalRuns, 'prepare' | 'openHost' | 'tell'> {
  start(order: NewRunOrder, following: Following): Promise<StartOutcome>;
  queue(order: NewQueueOrder, following: QueueFollowing): Promise<QueueEnd>;
  /** The same, without following it. */
  leaveQueue(order: NewQueueOrder): Promise<void>;
  /** Whether the supervisor has the run and was asked to stop it. */
  askToStop(runId: string): Promise<boolean>;
}

/** What is done of runs without a supervisor. */
export interface LocalRuns {
  /** The agents that could do it, the best first; with those of the user's own. */
  inspect(settings: Settings): Promise<readonly InspectedAgent[]>;
  /** What every run of an order needs. `enlist`: lists the terminal of a run by its name until the run is over. */
  prepare(
    order: Pick<RunOrder, 'agent' | 'settings' | 'trustsFolder' | 'store'>,
    opened: Pick<Following, 'store' | 'onEvent'>,
  ): Promise<{ readonly parts: RunParts; readonly enlist: (run: RunHandle) => void }>;
  /** The host of the user's terminals. */
  openHost: RunParts['openHost'];
  /** Project root, plus the run's worktree if git still lists it (stored paths may be stale). */
  placeOf(runId: string): Promise<NonNullable<RunHistory['place']>>;
  /** Brings the work of a run to the branch that is checked out in the project where the user is. */
  merge(run: RunFacts): Promise<MergeOutcome>;
  /** Removes what the remote has of a merged run, for other machines. Whether something was removed. */
  dropWork(run: RunFacts): Promise<boolean>;
  /** What a run changed since it began, or between two of its commits, as a patch. */
  diff(run: RunFacts, span?: { readonly from?: string; readonly to?: string }): Promise<Printed>;
  /** The work trees of the project's runs, with what is in them and nowhere else. */
  worktrees(): Promise<readonly ListedRunWorktree[]>;
  /** Removes a work tree without uncommitted work, and its branch. */
  removeWorktree(runId: string): Promise<Removal>;
  /** Notifies the user through the program in their settings; it is not awaited. */
  tell(settings: Settings, notice: RunNotice): void;
}

interface RunNotice {
  readonly kind: 'escalated' | 'run-ended';
  readonly run: string;
  readonly text: string;
}

/** What a command hears of the runs that it has ordered. */
export interface Following {
  readonly store: Store;
  onEvent?(event: StoredEvent): void;
  onNotice?(notice: TerminalNotice): void;
  onChange?(): void;
  /** A sentence for people. */
  onSaid?(text: string): void;
  readonly signal?: AbortSignal;
}

export interface QueueFollowing extends Following {
  onRun?(run: FollowedRun): void;
  /** What came of bringing the work of a run to the user's branch. */
  onMerge?(runId: string, merge: MergeNews): void;
  /** The user wants it to end at once. */
  readonly again?: AbortSignal;
}

/** Orders as commands write them: each gets its token when it is sent. */
export type NewRunOrder = Omit<RunOrder, 'token'>;
export type NewQueueOrder = Omit<QueueOrder, 'token'>;

/** A run that the supervisor carries out, followed from here. */
export interface FollowedRun extends Omit<RunHandle, 'leave' | 'user' | 'interrupt' | 'renew'> {
  /** The run works on; nothing more is told of it here. */
  unfollow(): void;
  /** What came of bringing its work to the user's branch, once it is over and that was tried. */
  merge(): MergeNews | undefined;
}

type StartOutcome =
  | { readonly status: 'started'; readonly run: FollowedRun; readonly notes: readonly string[] }
  | NotStarted;

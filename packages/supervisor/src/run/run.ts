import type {
  McpServer,
  OpenEscalation,
  RunOutcome,
  RunPlan,
  RunSettings,
  RunStart,
  RunTotals,
  StoredEvent,
  WorkflowStatusResponse,
} from '@devs/core';
import type { InterruptOutcome } from '../act/interrupt-turn.js';
import type { UserPresence } from '../attendance.js';
import type { TerminalNotice } from '../notice.js';
import type { RenewOutcome, RenewWish, TerminalStatus } from '../supervised-terminal.js';
import type { HeldTask, SupervisionTiming } from '../supervision.js';
import type { TerminalContext } from '../terminal-context.js';
import type { Travel } from './travel/travel.js';

/** A new run, or an existing one by id: then its stored data counts. */
export type RunRequest = RunParts &
  (
    | ({
        readonly runId?: undefined;
        readonly plan: RunPlan;
        /** Its name, if it was already announced. */
        readonly name?: string;
      } & Pick<RunStart, 'template' | 'source'>)
    | {
        readonly runId: string;
        /** Its task, claimed by the caller. */
        readonly claimed?: HeldTask;
        /**
         * Its question stays open, and it is paused for it. Otherwise continuing without an answer counts as an
         * answer.
         */
        readonly keepsQuestion?: true;
        /** Its supervisor died, or was replaced: it is continued as it was, and a question stays open. */
        readonly adopts?: true;
      }
  );

/** What a run needs besides its subject, the same for every run of a project; the folder of its `place` is the project's. */
export interface RunParts extends TerminalContext {
  /** What the agent is started with besides, as the user would type it. */
  readonly userArgs?: readonly string[];
  /** A folder that only the user can read; each run has one of its own in it. */
  readonly privateFolder: string;
  /** The id of the clone that runs work in; `undefined` outside of git. */
  readonly clone?: string;
  /** Where several machines share the store. */
  readonly travel?: Travel;
  /** The stream that names the run of a worktree, and holds what its agents hand over; from `@devs/mcp`. */
  worktreeStream(worktree: string): string;
  /** How the agent starts the server of the workflow tools, which writes a `ToolsReport` to the file where one is named. */
  mcpServer(worktree: string, toolsReport?: string): McpServer;
  readonly settings: RunSettings;
  /** What a model call cost, where that is known. */
  costOf?(call: ModelCall): number | undefined;
  /**
   * `wait`: for the answer, with the agent idle · `pause`: the agent is ended, and `devs resume` continues. Default:
   * `wait`.
   */
  readonly onEscalation?: 'wait' | 'pause';
  readonly timing?: Partial<SupervisionTiming> & Partial<RunTiming>;
  /** What was stored of the run, in order. Must not throw. */
  onEvent?(event: StoredEvent): void;
  /** What the user may want to know at once. Must not throw. */
  onNotice?(notice: TerminalNotice): void;
  /** Something of `status()` may be different now. Must not throw. */
  onChange?(): void;
  /** The id of a new run, before anything of it is stored. */
  onOpening?(runId: string): Promise<void>;
  /** Aborted: as `stop({ now: false })`, also while it is being prepared. */
  readonly signal?: AbortSignal;
}

export interface ModelCall {
  readonly model?: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export interface RunTiming {
  /** How often the run is looked at though nothing has changed. */
  readonly lookMs: number;
  /** How long an agent has to be idle before it is asked to continue: the terminal's own supervisor comes first. */
  readonly idleMs: number;
  /** The same for an agent without a prompt so far: its first prompt may be on its way. */
  readonly unaskedMs: number;
  /** How long an agent may wait for a person before the user is asked. */
  readonly waitingMs: number;
  /** How long the terminal has to begin a due renewal, before its agent is asked to continue. */
  readonly renewalMs: number;
  /** How long an agent may keep talking after its workflow has ended. */
  readonly lastWordsMs: number;
  /** How long an agent may be gone before the user is asked. */
  readonly goneMs: number;
  /** How long an agent that has started may be without its workflow tools. */
  readonly toolsMs: number;
  /** The same where nothing more is to be expected. */
  readonly hopelessToolsMs: number;
  /** How long one setup command or check may take. */
  readonly commandMs: number;
  /** How often work is pushed within a step, where several machines share the store. */
  readonly sendMs: number;
}

export type StartRunOutcome =
  | { readonly status: 'started'; readonly run: RunHandle; readonly notes: readonly string[] }
  /** A live process supervises it. */
  | { readonly status: 'held'; readonly by: string; readonly until: number }
  /** It cannot be started here; nothing was started. `runId` if it is stored and can be continued. */
  | {
      readonly status: 'refused';
      readonly reason: string;
      readonly advice: string;
      readonly runId?: string;
      /** It would be so for every other run here. */
      readonly isGeneral?: true;
      /** Another clone of the project can begin it. */
      readonly isElsewhere?: true;
    }
  /** It was cancelled before its agent was started; the run is paused, and its task given back. */
  | { readonly status: 'cancelled'; readonly runId: string; readonly why: string }
  /** There is nothing left to do. */
  | { readonly status: 'finished'; readonly outcome: RunOutcome; readonly detail: string }
  | { readonly status: 'unknown-run' };

export interface RunHandle {
  readonly id: string;
  status(): RunStatus;
  /** Ends the agent and pauses the run. `now`: without the courtesy. Safe to be called twice. */
  stop(how: { readonly now: boolean }): Promise<void>;
  /** The user attached to its terminal, typed there, or left. */
  user(is: UserPresence): void;
  /** Ends the turn of its agent; the run continues, with the words of the user where there are any. */
  interrupt(words?: string): Promise<InterruptOutcome>;
  /** Replaces its agent by a fresh one; the run continues with the step that it is in. */
  renew(wish: RenewWish): Promise<RenewOutcome>;
  /** Lets go of it between two decisions. Its agent works on, and the next supervisor continues. */
  leave(why: string): Promise<void>;
  /** Resolves when it is no longer supervised. Never rejects. */
  readonly done: Promise<RunEnd>;
}

export type RunEnd =
  | { readonly status: 'finished'; readonly outcome: RunOutcome; readonly detail: string }
  /** `devs resume` continues it. */
  | {
      readonly status: 'paused';
      readonly why: string;
      readonly escalation?: OpenEscalation;
      /** The exhausted budget, as in the configuration. */
      readonly budget?: string;
    }
  /** Another supervisor has it now, or the store could not be reached. */
  | { readonly status: 'lost'; readonly why: string };

/** A run as viewers see it. */
export interface RunStatus {
  readonly id: string;
  readonly workflow: string;
  readonly request: string;
  readonly agent: string;
  readonly worktree: string;
  readonly branch?: string;
  readonly taskId?: string;
  readonly state: 'running' | 'escalated' | 'stopping' | 'paused' | 'finished';
  /** Where the workflow stands. */
  readonly position: WorkflowStatusResponse;
  readonly terminals: readonly TerminalStatus[];
  /** As sentences, the newest last. */
  readonly last: readonly { readonly at: number; readonly text: string }[];
  readonly escalation?: OpenEscalation;
  readonly totals: RunTotals;
  readonly end?: RunEnd;
}

export const DEFAULT_RUN_TIMING: RunTiming = {
  lookMs: 1_000,
  idleMs: 1_500,
  unaskedMs: 8_000,
  waitingMs: 30_000,
  renewalMs: 15_000,
  lastWordsMs: 20_000,
  goneMs: 3 * 60_000,
  toolsMs: 60_000,
  hopelessToolsMs: 15_000,
  commandMs: 10 * 60_000,
  sendMs: 10 * 60_000,
};

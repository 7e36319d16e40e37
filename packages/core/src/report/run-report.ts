import type { LeftWork, RunOutcome, StuckKind } from '../run/run-event.js';
import type { RunTotals } from '../run/run-facts.js';
import type { StepContextAction, TaskProgress } from '../workflow/types.js';

/** What happened in a run, for people and for programs. Times are milliseconds since 1970. */
export interface RunReport {
  readonly id: string;
  readonly request: string;
  readonly workflow: string;
  readonly agent: string;
  /** The project that it belongs to. */
  readonly folder: string;
  /** `path` is missing where it was removed. */
  readonly worktree?: { readonly path?: string; readonly branch?: string; readonly base?: string };
  /** In which its agent works, or has worked. */
  readonly terminal?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly outcome: { readonly kind: ReportOutcome; readonly detail: string };
  /** From the queue. */
  readonly taskId?: string;
  readonly steps: readonly ReportStep[];
  /** Its position, until the workflow ends. */
  readonly position?: string;
  readonly tasks: readonly ReportTask[];
  readonly usage: RunTotals;
  readonly renewals: readonly ReportRenewal[];
  readonly reinjections: Reinjections;
  /** Facts about a conversation, restored after the agent compacted it. */
  readonly ledgers: { readonly count: number; readonly tokens: number };
  /** Answers that were cut off and joined, and such as had to be written again in the right form. */
  readonly answers: { readonly resumed: number; readonly corrected: number };
  readonly contextActions: readonly ReportContextAction[];
  readonly crashes: readonly {
    readonly at: number;
    readonly terminal: string;
    readonly detail: string;
    readonly resumed: boolean;
  }[];
  readonly parks: readonly { readonly at: number; readonly until: number; readonly why: string }[];
  readonly stuck: readonly { readonly at: number; readonly kind: StuckKind; readonly detail: string }[];
  readonly escalations: readonly ReportEscalation[];
  readonly budgets: readonly { readonly at: number; readonly budget: string; readonly detail: string }[];
  /** How often a supervisor took it on: once, and after each interruption. */
  readonly begun: number;
  readonly pauses: readonly { readonly at: number; readonly why: string }[];
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** What of the work is not on the run's branch, and why. */
  readonly left: readonly LeftWork[];
  readonly checks: readonly { readonly command: readonly string[]; readonly exitCode: number; readonly tail: string }[];
  readonly merged?: { readonly into: string; readonly commit: string };
  /** The commands to merge the work; empty if there is nothing to merge. */
  readonly howToMerge: readonly (readonly string[])[];
}

/** `open`: unsupervised without a stated reason; its supervisor was killed. */
export type ReportOutcome = RunOutcome | 'running' | 'open' | 'paused' | 'escalated';

interface ReportTask {
  readonly id: string;
  readonly title: string;
  readonly status: TaskProgress;
  /** Of its steps so far; missing where it is not known. */
  readonly costUsd?: number;
}

export interface ReportStep {
  /** As the workflow calls it: `plan`, `implement.fix-login.code`. */
  readonly at: string;
  readonly status: 'done' | 'failed';
  readonly startedAt: number;
  readonly endedAt: number;
  /** Without the time in which the run was paused. */
  readonly workMs: number;
  /** The agent's own words about it, or why it failed. */
  readonly said: string;
  /** Missing where it is not known. */
  readonly costUsd?: number;
}

export interface ReportRenewal {
  readonly at: number;
  readonly terminal: string;
  readonly cause: string;
  readonly outcome: 'completed' | 'abandoned' | 'failed' | 'under way';
  readonly detail?: string;
  /** The handoff; its text is in the log, at this position. */
  readonly document?: { readonly stream: string; readonly position: number; readonly characters: number };
  /** Where the agent's own words came from, or why there are none. */
  readonly ownWords: 'tool' | 'transcript' | 'screen' | 'not asked' | 'timeout' | 'exited' | 'undelivered';
  /** What verification found missing, and added. */
  readonly added: readonly string[];
  readonly checkpoint?: { readonly ref: string; readonly commit: string; readonly leftOut?: readonly string[] };
  /** What the new agent lacks compared to the old. */
  readonly lost: readonly string[];
  /** Other processes of the old agent: its servers and its children. */
  readonly alsoEnded: readonly string[];
  /** The conversation before, which can still be opened. */
  readonly conversationBefore?: string;
}

export interface Reinjections {
  readonly count: number;
  readonly tokens: number;
  /** Of all input tokens; missing where those are not known. */
  readonly share?: number;
}

export interface ReportContextAction {
  readonly at: number;
  readonly action: StepContextAction;
  readonly outcome: 'observed' | 'abandoned' | 'asked' | 'open';
  readonly detail: string;
}

export interface ReportEscalation {
  readonly id: string;
  readonly at: number;
  readonly question: string;
  readonly diagnosis: string;
  readonly answer?: string;
  readonly answeredAt?: number;
  /** What became of the answer: the agent's own record shows it, or why it did not reach the agent. */
  readonly fate?: { readonly kind: 'seen' } | { readonly kind: 'typed' | 'not-typed'; readonly why: string };
  /** How it was settled, where that is known. */
  readonly settled?: string;
}

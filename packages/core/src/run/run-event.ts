import { newEvent } from '../event-log/define-stream.js';
import type { PermissionSubject } from '../ports/agent-channel.js';
import type { NewEvent } from '../ports/event-log.js';
import type { TokenUsage } from '../ports/llm-client.js';

/**
 * Events of a run besides the workflow's own, in the same stream `run:<id>`. The MCP server writes the workflow's
 * part, the supervisor this part; the slower writer decides again on the current state.
 */
export type RunEvent =
  /** Stored with `workflow.started`, before anything is made or started. */
  | ({ readonly type: 'run.prepared' } & RunPlan)
  /** The folder that it works in is there: copied files and setup included. */
  | { readonly type: 'worktree.made'; readonly path: string; readonly branch?: string; readonly base?: string }
  /** A supervisor took it on: at the beginning, and after each interruption. `clone` is the id of its clone. */
  | {
      readonly type: 'run.begun';
      readonly by: string;
      readonly terminal: string;
      readonly clone?: string;
      readonly machine?: string;
    }
  /**
   * On a store that several machines share, before anything else: who has the lease now. What a holder with a lower
   * fence says later of pushed work does not count.
   */
  | ({ readonly type: 'run.held' } & RunHolder)
  /** Its work is at the remote, where other machines find it. They continue from here, and from nowhere else. */
  | ({ readonly type: 'work.pushed' } & PushedWork)
  /** The machine is lost that had more than was pushed: the workflow is where it was then, and the rest is done again. */
  | ({ readonly type: 'run.rewound' } & Rewinding)
  /** Nothing of it is at the remote any more: it is merged. */
  | { readonly type: 'work.dropped' }
  /** The commit that holds all of its work that is committed, where it is another one than before. */
  | { readonly type: 'head.observed'; readonly commit: string }
  /** Unsupervised; `devs resume` continues it. */
  | { readonly type: 'run.paused'; readonly why: string }
  /** An agent that works through step after step is never idle: at the next end of a step its tools tell it to end its turn. */
  | { readonly type: 'turn-end.wanted'; readonly why: string }
  | { readonly type: 'turn-end.settled' }
  | { readonly type: 'stuck.noticed'; readonly kind: StuckKind; readonly detail: string }
  /** The agent had no workflow tools, and is restarted for that. */
  | { readonly type: 'tools.missed'; readonly detail: string }
  | { readonly type: 'budget.reached'; readonly budget: string; readonly detail: string }
  | {
      readonly type: 'escalation.raised';
      readonly escalationId: string;
      readonly question: string;
      readonly diagnosis: string;
      /** What an agent asks to be allowed. */
      readonly permission?: PermissionSubject;
    }
  /** In the user's words, which reach the agent as such. */
  | { readonly type: 'escalation.answered'; readonly escalationId: string; readonly answer: string }
  /**
   * The agent's own record does not show the answer: the question is open again. `isTyped`: the words were typed
   * nevertheless.
   */
  | {
      readonly type: 'escalation.unanswered';
      readonly escalationId: string;
      readonly isTyped: boolean;
      readonly why: string;
    }
  /** Settled: the agent has the answer, or the question is obsolete. */
  | {
      readonly type: 'escalation.settled';
      readonly escalationId: string;
      readonly how: string;
      /** The agent that asked is gone: the answer is kept for its successor. */
      readonly isKept?: true;
    }
  /** The user wants it to pause, on a machine that does not supervise it. */
  | { readonly type: 'stop.asked'; readonly by: string }
  /** Its task was claimed again by the supervisor that continues it. */
  | { readonly type: 'task.held'; readonly taskId: string; readonly fence: number }
  /** Usage since the previous event of this kind; counted when a step ends, and when a run pauses or finishes. */
  | ({
      readonly type: 'usage.counted';
      readonly turns: number;
      readonly cachedTokens: number;
      readonly costUsd?: number;
      /** Supervised time, without the time that the machine slept. */
      readonly activeMs?: number;
      /** How far the count has come: earlier parts of this conversation are not counted again. */
      readonly conversationId?: string;
      readonly upTo?: string;
      /** How much of each agent process is counted, for the next supervisor: a process states what it cost in all. */
      readonly processes?: Readonly<Record<string, number>>;
    } & TokenUsage)
  | {
      readonly type: 'commits.observed';
      readonly commits: readonly { readonly hash: string; readonly subject: string }[];
      /** What of the work is not on the run's branch: paths, or commits on another. */
      readonly left?: readonly LeftWork[];
    }
  | {
      readonly type: 'check.ran';
      readonly command: readonly string[];
      readonly exitCode: number;
      readonly tail: string;
    }
  | { readonly type: 'run.finished'; readonly outcome: RunOutcome; readonly detail: string }
  | { readonly type: 'run.merged'; readonly into: string; readonly commit: string };

export interface RunHolder {
  readonly by: string;
  readonly machine: string;
  /** Of its lease. */
  readonly fence: number;
  readonly clone?: string;
  /** The remote that its work is pushed to, by its name. */
  readonly remote?: string;
}

export interface PushedWork {
  /** The commit of its branch. */
  readonly commit: string;
  /** A commit on top of it with what was not committed; missing where there was nothing. */
  readonly work?: string;
  /** The version of the run's stream whose steps are all in it. */
  readonly upTo: number;
  /** Of the holder that says so. */
  readonly fence: number;
}

export interface Rewinding {
  /** The version of the stream to which the workflow goes back. */
  readonly to: number;
  readonly commit: string;
  /** The machine that continues, and the lost one. */
  readonly machine: string;
  readonly lost: string;
  /** Where the workflow stands after it, for people. */
  readonly at: string;
  /** How much work is done again. */
  readonly againMs: number;
}

export interface RunPlan {
  /** The user's request. */
  readonly request: string;
  readonly workflow: string;
  readonly agent: string;
  /** `own`: a git worktree on its own branch · `here`: the folder itself. */
  readonly place: 'own' | 'here';
  /** The project that it belongs to. */
  readonly folder: string;
  /** Refs that its branch starts from, e.g. the work that its task depends on. Default: the user's checkout. */
  readonly from?: readonly string[];
  /** Work of other clones that its branch begins at besides: it is not begun where these commits are missing. */
  readonly needs?: readonly NeededWork[];
  /**
   * Commits that its branch begins at, and nothing else: on a store that several machines share, the checkout of a
   * machine means nothing.
   */
  readonly at?: readonly SaidWork[];
  /** From the queue. */
  readonly task?: { readonly id: string; readonly fence: number };
  /** The work is brought to the user's branch when its checks pass, also where the run is resumed. */
  readonly merge?: true;
  /** Settings for this run only; they apply again when it is continued. */
  readonly flags?: readonly { readonly where: string; readonly text: string }[];
}

/** Work of a run in another clone, by its final commit. */
export interface NeededWork {
  readonly commit: string;
  /** Its branch there, if the run had its own. */
  readonly branch?: string;
}

/** A commit that was said in the log, and the ref of the remote that leads to it. */
export interface SaidWork {
  readonly commit: string;
  readonly ref: string;
}

/** A part of a run's work that only its folder has. */
export interface LeftWork {
  readonly what: string;
  readonly why: string;
}

/** `no-progress`: nothing came of it for a while · `same-action`: the same call failed again and again · `same-error` */
export type StuckKind = 'no-progress' | 'same-action' | 'same-error';

/**
 * `done`: the workflow is at its end, and every check passed · `failed`: the workflow failed, or a check did not pass
 * · `given-up`: the user stopped it for good, or its task was claimed by another
 */
export type RunOutcome = 'done' | 'failed' | 'given-up';

export const runEventOf: (event: RunEvent) => NewEvent = newEvent;

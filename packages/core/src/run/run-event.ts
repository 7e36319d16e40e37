import type { NewEvent } from '../ports/event-log.js';
import type { JsonObject } from '../ports/json.js';
import type { TokenUsage } from '../ports/llm-client.js';

/**
 * What happens to a run besides the workflow's own events, in the same stream `run:<id>`. The workflow's part is written by the
 * MCP server, this part by the supervisor; whoever was slower decides anew on what is there now.
 */
export type RunEvent =
  /** Stored with `workflow.started`, before anything is made or started. */
  | ({ readonly type: 'run.prepared' } & RunPlan)
  /** The folder that it works in is there: copied files and setup included. */
  | { readonly type: 'worktree.made'; readonly path: string; readonly branch?: string; readonly base?: string }
  /**
   * A supervisor looks after it from now on: at the beginning, and after each interruption. `clone` is the id of the clone that
   * it works in.
   */
  | { readonly type: 'run.begun'; readonly by: string; readonly terminal: string; readonly clone?: string }
  /** The commit that holds all of its work that is committed, where it is another one than before. */
  | { readonly type: 'head.observed'; readonly commit: string }
  /** Nobody looks after it; `devs resume` goes on. */
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
    }
  /** In the user's words, which reach the agent as such. */
  | { readonly type: 'escalation.answered'; readonly escalationId: string; readonly answer: string }
  /** The agent's own record does not show the answer: the question is open again. `isTyped`: the words were typed all the same. */
  | {
      readonly type: 'escalation.unanswered';
      readonly escalationId: string;
      readonly isTyped: boolean;
      readonly why: string;
    }
  /** It is settled: the agent has the answer, or what was asked about is over. */
  | { readonly type: 'escalation.settled'; readonly escalationId: string; readonly how: string }
  /** Its task was claimed again, by whoever goes on with it. */
  | { readonly type: 'task.held'; readonly taskId: string; readonly fence: number }
  /** What was used since the event of this kind before; counted when a step ends, and when a run pauses or finishes. */
  | ({
      readonly type: 'usage.counted';
      readonly turns: number;
      readonly cachedTokens: number;
      readonly costUsd?: number;
      /** How long a supervisor looked after it; the time that a machine slept is not counted. */
      readonly activeMs?: number;
      /** Where the count has come to: what stands before it in this conversation is not counted again. */
      readonly conversationId?: string;
      readonly upTo?: string;
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

export interface RunPlan {
  /** What the user asked for. */
  readonly request: string;
  readonly workflow: string;
  readonly agent: string;
  /** `own`: a git worktree on a branch of its own · `here`: the folder itself. */
  readonly place: 'own' | 'here';
  /** The project that it belongs to. */
  readonly folder: string;
  /** The refs that its branch begins at, e.g. the work that its task depends on. Default: what the user has checked out. */
  readonly from?: readonly string[];
  /** Work of other clones that its branch begins at besides: it is not begun where these commits are missing. */
  readonly needs?: readonly NeededWork[];
  /** From the queue. */
  readonly task?: { readonly id: string; readonly fence: number };
  /** The work is brought to the user's branch when its checks pass, also where the run is resumed. */
  readonly merge?: true;
  /** Settings that were said for this run alone: whoever goes on with it goes by them, too. */
  readonly flags?: readonly { readonly where: string; readonly text: string }[];
}

/** What a run did in another clone, by the commit that holds all of it. */
export interface NeededWork {
  readonly commit: string;
  /** The branch that it is on there, where the run had one of its own. */
  readonly branch?: string;
}

/** A part of a run's work that only its folder has. */
export interface LeftWork {
  readonly what: string;
  readonly why: string;
}

/** `no-progress`: nothing came of it for a while · `same-action`: the same call failed again and again · `same-error` */
export type StuckKind = 'no-progress' | 'same-action' | 'same-error';

/**
 * `done`: the workflow is at its end, and every check passed · `failed`: the workflow says so itself, or a check did not pass ·
 * `given-up`: the user stopped it for good, or its task became somebody else's
 */
export type RunOutcome = 'done' | 'failed' | 'given-up';

export const runEventOf = ({ type, ...data }: RunEvent): NewEvent => ({ type, data: data as unknown as JsonObject });

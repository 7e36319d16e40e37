import type { HandoffDocument } from '../handoff/document/handoff-document.js';
import type { CheckedItem } from '../handoff/verify/checked-items.js';
import type { RenewalReason } from '../pressure/decide.js';

/** Why an agent is renewed: by the policy, because the user asked, or because it crashed and its CLI opens no conversation again. */
export type RenewalCause = RenewalReason | 'asked for' | 'cannot be resumed';

/**
 * What happened in the renewal of a terminal, in its stream. Each is stored before what follows from it is done, with the ids
 * that it will have.
 */
export type RenewalEvent =
  | RenewalStarted
  | HandoffEvent
  /**
   * `checked`: everything that the verification looked for · `told`: what the document tells, as data; both are missing in records
   * of older versions.
   */
  | {
      readonly type: 'document.verified';
      readonly document: string;
      readonly added: readonly string[];
      readonly checked?: readonly CheckedItem[];
      readonly told?: HandoffDocument;
    }
  /** `leftOut`: changed files that are not in it, each with the reason. */
  | {
      readonly type: 'checkpoint.saved';
      readonly ref: string;
      readonly commit: string;
      readonly leftOut?: readonly string[];
    }
  | { readonly type: 'checkpoint.skipped'; readonly reason: string }
  | { readonly type: 'agent.ended'; readonly forced: boolean }
  /** Before the agent was ended: the user has come back, or it got more work. It continues unchanged. */
  | { readonly type: 'renewal.abandoned'; readonly reason: string }
  | { readonly type: 'agent.spawned'; readonly agentId: string }
  | { readonly type: 'spawn.failed'; readonly error: string }
  | { readonly type: 'takeover.confirmed' }
  | { readonly type: 'takeover.missed'; readonly reason: string }
  | { readonly type: 'task.released'; readonly taskId: string }
  /** A step or a task ended, or a person gave the agent something else to do: the row of renewals is over. */
  | { readonly type: 'progress.made' };

/**
 * Other events of the terminal. The first two end a renewal in any phase: the user stopped the agent, or another
 * process was promised in its place. The last says that the agent has finished a turn.
 */
export type BesideRenewal =
  | { readonly type: 'terminal.stopped' }
  | { readonly type: 'restart.started'; readonly agentId: string }
  | { readonly type: 'agent.worked'; readonly agentId: string };

export interface RenewalStarted {
  readonly type: 'renewal.started';
  readonly cause: RenewalCause;
  /** Ids of the old and the new agent. Chosen now, so that neither is ended or started twice. */
  readonly oldAgentId: string;
  readonly newAgentId: string;
  /** The agent's task, which the new agent continues. */
  readonly taskId?: string;
  /** Whether the agent is asked for its own words: idle, warm, and the document would not do without. */
  readonly ask: boolean;
  readonly at: number;
}

/** The agent's own words, from the most trusted source that had them, or why there are none. */
export type HandoffEvent =
  | {
      readonly type: 'handoff.received';
      readonly source: 'tool' | 'transcript' | 'screen';
      readonly text: string;
    }
  | { readonly type: 'handoff.missed'; readonly reason: 'timeout' | 'exited' | 'undelivered' };

import type { AgentErrorKind } from '../ports/agent-channel.js';
import type { StepContextAction } from '../workflow/types.js';
import type { ContextUsage } from './pressure.js';

/** Observations of one terminal. Nothing is guessed: unknown facts are missing. */
export interface TerminalSignals {
  readonly now: number;
  readonly state: 'starting' | 'busy' | 'idle' | 'waiting' | 'exited';
  /** The user is attached, typed lately, or left a draft in the input box. */
  readonly attended: boolean;
  /** Attended only because of recent presence: no user is watching now. */
  readonly hasLeft?: boolean;
  readonly usage?: ContextUsage;
  /** A task or a step has just ended. */
  readonly atBoundary: boolean;
  /** Since when its context is above the firm mark, as far as it was watched. */
  readonly fullSince?: number;
  /** It has used a tool in this turn, and uses none now: an interrupt ends no command. */
  readonly isBetweenTools?: boolean;
  /** The provider has forgotten the prompt: the next call pays for all of it. */
  readonly cacheIsCold?: boolean;
  /** Of the agent itself, in this conversation. */
  readonly compactions: number;
  /** A compaction that was not followed by the ledger yet. */
  readonly compactedSinceLedger?: boolean;
  /** Request of a workflow step at this position. */
  readonly contextAction?: StepContextAction;
  /** Its work is at an end, or it is about to be compacted or cleared: an intervention now would be useless. */
  readonly isConversationOver?: boolean;
  readonly reminder?: ReminderSignals;
  readonly exit?: AgentExit;
  readonly limit?: AgentLimit;
  /** The last turn ended with an error that waiting does not cure: no credit, a key that is not accepted. */
  readonly failure?: { readonly kind: AgentErrorKind; readonly detail: string };
}

export interface ReminderSignals {
  readonly turnsSinceLast: number;
  readonly specsChanged: boolean;
}

export interface AgentExit {
  readonly kind: 'clean' | 'crashed';
  /** A task or a step is not finished. */
  readonly hasWorkLeft: boolean;
  /** It died with the process that held its terminal: its user did not end it. */
  readonly diedWithHost?: boolean;
}

/** Why a healthy agent cannot continue for now. */
export interface AgentLimit {
  readonly kind: 'usage-limit' | 'network';
  /** When the provider said it would be over. */
  readonly until?: number;
}

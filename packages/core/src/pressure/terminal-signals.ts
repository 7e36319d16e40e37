import type { StepContextAction } from '../workflow/types.js';
import type { ContextUsage } from './pressure.js';

/** What was observed of one terminal. Nothing here is guessed: what is not known is left out. */
export interface TerminalSignals {
  readonly now: number;
  readonly state: 'starting' | 'busy' | 'idle' | 'waiting' | 'exited';
  /** The user is attached, typed lately, or left a draft in the input box. */
  readonly attended: boolean;
  /** He is attended for only because he was there lately: nobody looks now. */
  readonly hasLeft?: boolean;
  readonly usage?: ContextUsage;
  /** A task or a step has just ended. */
  readonly atBoundary: boolean;
  /** What comes next has nothing to do with what came before. */
  readonly nextIsUnrelated?: boolean;
  /** The provider has forgotten the prompt: the next call pays for all of it. */
  readonly cacheIsCold?: boolean;
  /** Of the agent itself, in this conversation. */
  readonly compactions: number;
  /** A compaction that was not followed by the ledger yet. */
  readonly compactedSinceLedger?: boolean;
  /** What a workflow step asks for here. */
  readonly contextAction?: StepContextAction;
  /** What it works on is at its end, or it is about to be compacted or cleared: to care for it now would bring nothing. */
  readonly isConversationOver?: boolean;
  readonly reminder?: ReminderSignals;
  readonly exit?: AgentExit;
  readonly limit?: AgentLimit;
  /** The last turn ended with an error that waiting does not cure: no credit, a key that is not accepted. */
  readonly failure?: string;
}

export interface ReminderSignals {
  readonly turnsSinceLast: number;
  readonly specsChanged: boolean;
}

export interface AgentExit {
  readonly kind: 'clean' | 'crashed';
  /** A task or a step is not finished. */
  readonly hasWorkLeft: boolean;
}

/** Why the agent cannot go on for now though nothing is wrong with it. */
export interface AgentLimit {
  readonly kind: 'usage-limit' | 'network';
  /** When the provider said it would be over. */
  readonly until?: number;
}

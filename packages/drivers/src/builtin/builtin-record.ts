import type {
  AgentErrorKind,
  JsonObject,
  JsonValue,
  PermissionChoice,
  PermissionSettler,
  SaopEnvelope,
  ToolAction,
} from '@devs/core';

/**
 * One line of the built-in agent's transcript: one fact, written before it takes effect. The conversation is exactly
 * these lines; a restarted agent reads them and continues.
 */
export type BuiltinRecord = { readonly at: string } & BuiltinFact;

export type BuiltinFact =
  | ConversationOpened
  | { readonly type: 'request'; readonly id: string; readonly text: string }
  /** The model's answer of one turn, without the text put in front of its reasoning. */
  | { readonly type: 'envelope'; readonly turn: number; readonly envelope: SaopEnvelope }
  /** Written before the tool is called: without an answer after a crash, the outcome is unknown. */
  | {
      readonly type: 'call';
      readonly id: string;
      readonly tool: string;
      readonly input: JsonObject;
      /** Of a tool that is not the built-in agent's own. */
      readonly actions?: readonly ToolAction[];
    }
  /** What an agent that does not speak SAOP says and thinks. */
  | { readonly type: 'message' | 'thought'; readonly text: string }
  | {
      readonly type: 'permission';
      readonly id: string;
      readonly tool: string;
      readonly detail: string;
      readonly choices: readonly PermissionChoice[];
    }
  | {
      readonly type: 'permission-settled';
      readonly id: string;
      readonly by: PermissionSettler;
      readonly choice?: string;
    }
  | { readonly type: 'error'; readonly kind: AgentErrorKind; readonly detail: string }
  /** As an agent that is not the built-in one states them: its window, and what its process has cost so far. */
  | { readonly type: 'window'; readonly window: number }
  | { readonly type: 'cost'; readonly usd: number }
  | ToolAnswer
  | UsageOfTurn
  /** `tokens`: cost of the summaries put in front of the model for one turn. */
  | { readonly type: 're-injection'; readonly turn: number; readonly tokens: number }
  | { readonly type: 'resumed'; readonly turn: number }
  | { readonly type: 'corrected'; readonly turn: number; readonly corrections: number }
  /** Another step of the workflow: the count of turns restarts. */
  | { readonly type: 'node'; readonly node: string }
  | {
      readonly type: 'compaction';
      readonly trigger: 'auto' | 'manual';
      readonly summary: string;
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
    }
  /** The conversation is over; the next one has this id. */
  | { readonly type: 'clear'; readonly next: string }
  /** `error`: the turn got no answer, and waiting does not help. */
  | { readonly type: 'state'; readonly says: AgentSays; readonly detail: string; readonly error?: string }
  /** Only the user can continue it. */
  | { readonly type: 'escalation'; readonly turn: number; readonly reason: string; readonly summary: string }
  | {
      readonly type: 'limit';
      readonly kind: 'usage-limit' | 'network';
      readonly until?: number;
      readonly detail: string;
    }
  | { readonly type: 'interruption' };

export type AgentSays = 'busy' | 'idle' | 'waiting';

/** The first line, and again whenever the conversation is opened by another process. */
export interface ConversationOpened {
  readonly type: 'conversation';
  readonly id: string;
  readonly folder: string;
  readonly agentVersion: string;
  readonly provider: string;
  readonly model: string;
  readonly window: number;
  readonly permissions: string;
  /** The name of an agent that is reached by ACP, and how it calls the session. */
  readonly acp?: string;
  readonly session?: string;
}

/** Result of a call, as the model sees it. */
export interface ToolAnswer {
  readonly type: 'answer';
  readonly id: string;
  readonly tool: string;
  readonly status: ObservationStatus;
  /** A text, or structured content of a tool. */
  readonly output: JsonValue;
  readonly errorDetail?: string;
  readonly exitCode?: number;
}

export type ObservationStatus = 'ok' | 'error' | 'TIMEOUT_EXCEEDED' | 'denied';

export interface UsageOfTurn {
  readonly type: 'usage';
  readonly turn: number;
  /** Of the turn's last model call: how full the context is. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly window: number;
  readonly model: string;
  /** Of all calls of the turn, with those that resumed or corrected its answer. */
  readonly calls: number;
  readonly totalInputTokens: number;
  readonly totalOutputTokens: number;
  /** The provider did not say; these are estimates. */
  readonly estimated: boolean;
}

/** The agent's own status beside the transcript, in a file named after its process. */
export interface BuiltinStatus {
  readonly conversation: string;
  readonly path: string;
  readonly says: AgentSays;
  readonly detail: string;
  readonly startedAt: number;
  /** The matching number in the terminal's title: the screen may still show an older state. */
  readonly shown?: number;
  /** What runs though the turn is over. */
  readonly background?: { readonly subAgents: number; readonly shells: number };
}

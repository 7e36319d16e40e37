import type { AgentErrorKind, AgentLimit, AgentSettings, AskedPermission, PermissionSettler } from '@devs/core';

/** A status fact from one line of a transcript, in the same words for every agent. */
export type StatusFact = { readonly at?: number } & (
  | { readonly type: 'turn-began'; readonly detail: string }
  /** `error`: it ended without an answer, and waiting will not help. */
  | { readonly type: 'turn-ended'; readonly detail: string; readonly subAgents?: number; readonly error?: string }
  /** `windowTokens` where the agent records it. */
  | { readonly type: 'usage'; readonly usedTokens: number; readonly windowTokens?: number }
  | { readonly type: 'window'; readonly windowTokens: number }
  | { readonly type: 'answered' }
  | {
      readonly type: 'compacted';
      readonly trigger: 'auto' | 'manual' | 'unknown';
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
    }
  | { readonly type: 'limit'; readonly limit: AgentLimit; readonly detail: string }
  | {
      readonly type: 'protocol';
      readonly what: 're-injected' | 'resumed' | 'corrected';
      readonly tokens?: number;
    }
  | { readonly type: 'settings'; readonly settings: AgentSettings }
  | ChannelFact
  | { readonly type: 'called'; readonly callId: string; readonly tool: string; readonly detail: string }
  | { readonly type: 'call-answered'; readonly callId: string; readonly refused: boolean }
  /** A command keeps running after its call was answered. */
  | { readonly type: 'background-began'; readonly callId: string }
  /** The command of this call, or else a sub-agent. */
  | { readonly type: 'background-ended'; readonly callId: string }
);

/** What is told as it is met. */
type ChannelFact = { readonly at?: number } & (
  | { readonly type: 'prompt-accepted'; readonly promptId: string }
  | ({ readonly type: 'permission-asked' } & AskedPermission)
  | {
      readonly type: 'permission-settled';
      readonly requestId: string;
      readonly by: PermissionSettler;
      readonly choice?: string;
    }
  | { readonly type: 'interrupted' }
  /** Of the process so far. */
  | { readonly type: 'cost'; readonly totalUsd: number }
  | { readonly type: 'error'; readonly kind: AgentErrorKind; readonly detail: string }
);

export const timeOf = (timestamp: unknown): { readonly at?: number } => {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? {} : { at };
};

import type { Clock, LlmClient, McpServer, Sandbox } from '@devs/core';
import type { PermissionPolicy } from '../permissions/decide-permission.js';

/** All that one agent process is made of. */
export interface AgentSetup {
  /** The worktree: nothing outside of it is read or changed by the agent's own tools. */
  readonly folder: string;
  readonly user: { readonly home: string; readonly env: Readonly<Record<string, string | undefined>> };
  /** Where its commands run; closed with the agent. */
  readonly sandbox: Sandbox;
  readonly conversationId: string;
  /** The conversation has to be there. */
  readonly isResumed: boolean;
  readonly model: AgentModel;
  readonly instructions?: string | undefined;
  readonly servers: Readonly<Record<string, McpServer>>;
  readonly permissions: PermissionPolicy;
  /** The texts that are put in front of the model again, and after how many turns. */
  readonly specs?: { readonly tas: string; readonly prd: string } | undefined;
  readonly reinjectEvery: number;
  readonly version: string;
  readonly pid: number;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Limit for a tool's output; default 20,000. */
  readonly mostOutputChars?: number;
  /** For one tool call; the default is 300 s. */
  readonly timeLimitMs?: number;
}

export interface AgentModel {
  readonly provider: string;
  readonly name: string;
  readonly window: number;
  /** The variable that its key is taken from. */
  readonly keyName?: string;
  /** The system's words stay the same for the life of the process. */
  open(system: string): LlmClient;
}

/** How the agent is seen and answered. Must not throw. */
export interface Face {
  /** Something for the user to read. */
  say(text: string): void;
  /** Gives the number that the screen shows with it, where there is one. */
  show(says: 'busy' | 'idle' | 'waiting'): number | undefined;
  /** Rejects when it is aborted. `onShown` is called when the question can be answered. */
  ask(question: string, signal: AbortSignal, onShown: () => void): Promise<'yes' | 'no' | 'always'>;
}

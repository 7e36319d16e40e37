import type { Clock, McpServer, PermissionRules } from '@devs/core';

/** All that the program which holds one ACP agent is made of. */
export interface AcpSetup {
  /** As the user calls the agent. */
  readonly name: string;
  /** The agent's own program and its arguments. */
  readonly command: readonly string[];
  /** The worktree. */
  readonly folder: string;
  readonly user: { readonly home: string; readonly env: Readonly<Record<string, string | undefined>> };
  readonly conversationId: string;
  /** What devs wants the agent to know from the start. */
  readonly instructions?: string | undefined;
  readonly servers: Readonly<Record<string, McpServer>>;
  readonly permissions: PermissionRules;
  /** What the agent takes as a prompt to shorten its conversation; without it, it is not asked to. */
  readonly compact?: string | undefined;
  readonly version: string;
  readonly pid: number;
  readonly clock: Clock;
  readonly newId: () => string;
}

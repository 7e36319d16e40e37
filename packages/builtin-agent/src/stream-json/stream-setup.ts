import type { Clock, PermissionRules } from '@devs/core';

/** All that the program which holds one Claude Code process is made of. */
export interface StreamSetup {
  /** As the user calls the agent. */
  readonly name: string;
  /** Its program and arguments, with those that make it speak stream-json. */
  readonly command: readonly string[];
  /** The worktree. */
  readonly folder: string;
  readonly user: { readonly home: string; readonly env: Readonly<Record<string, string | undefined>> };
  /** As its arguments name it; the agent has the last word. */
  readonly conversationId: string;
  readonly permissions: PermissionRules;
  readonly pid: number;
  readonly clock: Clock;
  /** UUIDs: the agent records prompts by them. */
  readonly newId: () => string;
  /** Where it is written down that the program does not speak stream-json, for the next launch. */
  readonly refusedFile?: string;
}

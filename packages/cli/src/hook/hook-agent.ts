import { AGENTS, type AgentHooks } from '@devs/drivers/agents';

/** In the environment of an agent that devs has started with hooks of its own. */
export const HOOKS_AT_LAUNCH = 'DEVS_HOOKS_AT_LAUNCH';

export interface HookMode {
  /**
   * Brought by devs when it started the agent (`--launched`). Then what is open is not told at the start: a renewed agent has its
   * handoff already, and a workflow that clears wants nothing left.
   */
  readonly isLaunched: boolean;
  /** When the hook began, by {@link sinceStartMs}; 0 where the process was started for nothing else. Default: when it is called. */
  readonly startedAt?: number | undefined;
}

/** Since this process was started. Node has to load more for `performance.now()` than the hook may cost. */
export const sinceStartMs = (): number => process.uptime() * 1_000;

/** An agent that calls hooks of devs. */
export interface HookAgent extends AgentHooks {
  /** Its name in the registry. */
  readonly source: string;
}

export const HOOK_AGENTS: readonly HookAgent[] = AGENTS.flatMap(({ name: source, hooks }) =>
  hooks === undefined ? [] : [{ ...hooks, source }],
);

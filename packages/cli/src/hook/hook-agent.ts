import { AGENTS, type AgentHooks } from '@devs/drivers/agents';

/** An agent that calls hooks of devs. */
export interface HookAgent extends AgentHooks {
  /** Its name in the registry. */
  readonly source: string;
}

export const HOOK_AGENTS: readonly HookAgent[] = AGENTS.flatMap(({ name: source, hooks }) =>
  hooks === undefined ? [] : [{ ...hooks, source }],
);

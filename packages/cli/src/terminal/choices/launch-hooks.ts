import { DEFAULT_SETTINGS, type HookRequest, type Settings } from '@devs/core';
import { findAgent } from '@devs/drivers/agents';
import { HOOKS_AT_LAUNCH } from '../../hook/hook-manner.js';

export interface LaunchHooks {
  readonly hooks: HookRequest;
  /** For the environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
}

/** As in the plugin for Claude Code. */
const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd'];
const BACKGROUND = ['PreCompact', 'Stop'];
const TIMEOUT_SECONDS = 10;

/**
 * The hooks that an agent is started with: the ledger after its own compaction, and the specs now and then, also while its user
 * is there and nothing may be typed. `undefined` where there is nothing to do, or where an agent takes no hooks for one launch.
 */
export function launchHooks(
  agent: string,
  { ledger, reinjection, observe }: Pick<Settings, 'ledger' | 'reinjection' | 'observe'>,
  devsCommand: readonly string[],
): LaunchHooks | undefined {
  const hooks = findAgent(agent)?.hooks;
  if (!hooks?.canBeLaunchedWith || observe || (!ledger.enabled && !reinjection.enabled)) return undefined;
  const { turns } = reinjection;
  return {
    hooks: {
      command: [...devsCommand, 'hook', hooks.name, '--launched'],
      events: EVENTS,
      background: BACKGROUND,
      timeoutSeconds: TIMEOUT_SECONDS,
    },
    env: {
      [HOOKS_AT_LAUNCH]: '1',
      // Only what the configuration says: the rest is for the settings of the hooks themselves.
      ...(ledger.enabled ? {} : { DEVS_HOOK_COMPACT: 'off' }),
      ...(reinjection.enabled ? {} : { DEVS_HOOK_REMINDER: 'off' }),
      ...(turns === DEFAULT_SETTINGS.reinjection.turns ? {} : { DEVS_HOOK_REMINDER_TURNS: String(turns) }),
    },
  };
}

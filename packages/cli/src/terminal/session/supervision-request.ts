import { type AgentDriver, DEFAULT_SETTINGS, type HookRequest, type Settings, type Store } from '@devs/core';
import { findAgent } from '@devs/drivers/agents';
import type { SuperviseRequest } from '@devs/supervisor';
import { HOOKS_AT_LAUNCH } from '../../hook/hook-agent.js';
import type { RegisteredTerminal } from '../names/terminal-registry.js';
import type { TerminalSurroundings } from '../terminal-world.js';

interface LaunchHooks {
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

/** What supervising one terminal needs in this caller's surroundings, by their settings. */
export async function supervisionRequest(
  world: TerminalSurroundings,
  { name, folder, store: kept }: Pick<RegisteredTerminal, 'name' | 'folder' | 'store'>,
  { driver, store }: { readonly driver: AgentDriver; readonly store: Store },
): Promise<SuperviseRequest> {
  const { openHostIn, termsOf } = await world.loadSupervisor();
  const { settings } = await world.choicesIn(folder);
  const launched = launchHooks(driver.agent, settings, world.devsCommand);
  const handoffStream = await world.handoffStreamOf(folder, kept.kind === 'redis' ? 'shared' : 'own');
  const terms = termsOf(settings);
  return {
    ...terms,
    // Its own hooks give it that already.
    ...(launched === undefined ? {} : { policy: { ...terms.policy, ledgerAfterCompaction: false } }),
    name,
    driver,
    store,
    openHost: () => openHostIn({ folder: world.places.hostFolder }),
    by: world.by,
    place: { folder, home: world.env.HOME ?? world.home, env: { ...world.env, ...launched?.env } },
    privateFolder: world.places.privateFolder(name),
    ...(launched === undefined ? {} : { extras: { hooks: launched.hooks } }),
    ...(handoffStream === undefined ? {} : { handoffStream }),
    clock: world.clock,
    newId: world.newId,
  };
}

import type { AgentDriver, Store } from '@devs/core';
import type { SuperviseRequest } from '@devs/supervisor';
import { launchHooks } from '../choices/launch-hooks.js';
import type { RegisteredTerminal } from '../names/terminal-registry.js';
import type { TerminalSurroundings } from '../terminal-world.js';

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

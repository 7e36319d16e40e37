import type { AgentDriver, Store } from '@devs/core';
import type { SuperviseRequest } from '@devs/supervisor';
import type { RegisteredTerminal } from '../names/terminal-registry.js';
import type { TerminalWorld } from '../terminal-world.js';

/** What supervising one terminal needs in this user's world. */
export async function supervisionRequest(
  world: TerminalWorld,
  { name, folder }: Pick<RegisteredTerminal, 'name' | 'folder'>,
  { driver, store }: { readonly driver: AgentDriver; readonly store: Store },
): Promise<SuperviseRequest> {
  const { openHostIn } = await world.loadSupervisor();
  return {
    name,
    driver,
    store,
    openHost: () => openHostIn({ folder: world.places.hostFolder }),
    by: world.by,
    place: { folder, home: world.env.HOME ?? world.home, env: world.env },
    privateFolder: world.places.privateFolder(name),
    clock: world.clock,
    newId: world.newId,
  };
}

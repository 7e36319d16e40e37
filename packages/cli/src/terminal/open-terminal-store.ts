import { openStore, type Store } from '@devs/core';
import { storeOf } from './ask-supervisor.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import type { SupervisedWorld } from './terminal-world.js';

type StoreWorld = Pick<SupervisedWorld, 'records' | 'clock' | 'newId' | 'isGone' | 'storeSetting'>;

/** Records of a terminal. Callers close them; `undefined` where they are gone. */
export async function openTerminalStore(
  world: StoreWorld,
  entry: Pick<RegisteredTerminal, 'name' | 'store'>,
): Promise<Store | undefined> {
  const { records, clock, newId, isGone } = world;
  const backend = await records.open(storeOf(world, entry), 'existing');
  return backend === undefined ? undefined : openStore({ backend, clock, newId, isGone });
}

import { openStore, type Store } from '@devs/core';
import { CliError } from '../cli-error.js';
import type { StoreLocation } from '../store-access/store-location.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import type { TerminalWorld } from './terminal-world.js';

type StoreWorld = Pick<TerminalWorld, 'records' | 'clock' | 'newId' | 'isGone' | 'storeSetting'>;

/** The records of a terminal. Whoever opens them closes them; `undefined` where they are gone. */
export async function openTerminalStore(
  { records, clock, newId, isGone, storeSetting }: StoreWorld,
  { name, store }: Pick<RegisteredTerminal, 'name' | 'store'>,
): Promise<Store | undefined> {
  if (store.kind === 'redis' && storeSetting?.kind !== 'redis') {
    throw new CliError(`the records of "${name}" are in a Redis: name it with DEVS_STORE.`);
  }
  const location = store.kind === 'redis' ? (storeSetting as StoreLocation) : store;
  const backend = await records.open(location, 'existing');
  return backend === undefined ? undefined : openStore({ backend, clock, newId, isGone });
}

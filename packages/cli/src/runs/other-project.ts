import { type RunFacts, readRuns } from '@devs/core';
import type { Services } from '../compose.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { chooseStore, type StoreOptions, useStore } from '../store-access/with-store.js';

/** A project of the user, and its store. */
export interface FoundProject {
  readonly root: string;
  readonly location: StoreLocation;
}

/**
 * The project of the user, other than that of the folder, whose runs are meant; `undefined` where those of the folder are, or none. A
 * store that was named is the only one that counts.
 */
export async function findOtherProject(
  isMeant: (runs: readonly RunFacts[]) => boolean,
  options: StoreOptions,
  services: Services,
): Promise<FoundProject | undefined> {
  const chosen = chooseStore(options, services);
  if (chosen.kind !== 'project' || isMeant(await runsIn(chosen, services))) return undefined;
  for (const { root, file } of await services.records.projects()) {
    const location = { kind: 'sqlite', file } as const;
    if (isMeant(await runsIn(location, services))) return { root, location };
  }
  return undefined;
}

/** A project that cannot be read keeps nobody from the others. */
async function runsIn(location: StoreLocation, services: Services): Promise<readonly RunFacts[]> {
  try {
    const backend = await services.records.open(location, 'existing');
    return backend === undefined ? [] : await useStore(backend, services, readRuns);
  } catch {
    return [];
  }
}

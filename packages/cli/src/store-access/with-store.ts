import { type Clock, type OpenedStore, openStore, type StoreBackend } from '@devs/core';
import { CliError } from '../cli-error.js';
import { chooseStore, type StoreOptions } from './choose-store.js';
import type { Records } from './create-records.js';

export { chooseStore, type StoreOptions } from './choose-store.js';

/** What opens the store of a project. */
export interface StoreServices {
  /** What `DEVS_STORE` says. */
  readonly storeSetting: string | undefined;
  readonly records: Records;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Whether a holder of leases has ended, as far as this machine knows. */
  readonly isGone: (by: string) => boolean;
}

type Job<T> = (opened: OpenedStore) => Promise<T>;

/** Runs the job with the store, which is made where there is none yet, and closes it on every path. */
export async function withStore<T>(services: StoreServices, options: StoreOptions, job: Job<T>): Promise<T> {
  const backend = await services.records.open(chooseStore(options, services), 'create');
  if (backend === undefined) throw new CliError('the store could not be made. Name another one with --store.');
  return useStore(backend, services, job);
}

/** The same for a job that only looks: where there is no store it gets none made, and `nothing` is the answer. */
export async function withExistingStore<T>(
  services: StoreServices,
  options: StoreOptions,
  job: Job<T>,
  nothing: () => T,
): Promise<T> {
  const backend = await services.records.open(chooseStore(options, services), 'existing');
  return backend === undefined ? nothing() : useStore(backend, services, job);
}

export async function useStore<T>(
  backend: StoreBackend,
  { clock, newId, isGone }: Pick<StoreServices, 'clock' | 'newId' | 'isGone'>,
  job: Job<T>,
): Promise<T> {
  const store = openStore({ backend, clock, newId, isGone });
  try {
    return await job({ store, backend });
  } finally {
    await store.close();
  }
}

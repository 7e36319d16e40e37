import { type OpenedStore, openStore, type StoreBackend } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { ALLOWED_STORES, parseStoreLocation, type StoreLocation } from './store-location.js';

export interface StoreOptions {
  readonly store?: StoreLocation;
}

type StoreServices = Pick<Services, 'records' | 'storeSetting' | 'clock' | 'newId' | 'isGone'>;
type Job<T> = (opened: OpenedStore) => Promise<T>;

/** What `--store` says, else `DEVS_STORE`, else the project's own. */
export function chooseStore({ store }: StoreOptions, { storeSetting }: Pick<Services, 'storeSetting'>): StoreLocation {
  if (store !== undefined) return store;
  if (storeSetting === undefined || storeSetting === '') return { kind: 'project' };
  const location = parseStoreLocation(storeSetting);
  if (location === undefined) throw new UsageError(`DEVS_STORE names no store. ${ALLOWED_STORES}`);
  return location;
}

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

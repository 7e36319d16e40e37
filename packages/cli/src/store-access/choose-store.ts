import { UsageError } from '../cli-error.js';
import { ALLOWED_STORES, parseStoreLocation, type StoreLocation } from './store-location.js';
import type { StoreServices } from './with-store.js';

export interface StoreOptions {
  readonly store?: StoreLocation;
}

/** What `--store` says, else `DEVS_STORE`, else the project's own. */
export function chooseStore(
  { store }: StoreOptions,
  { storeSetting }: Pick<StoreServices, 'storeSetting'>,
): StoreLocation {
  if (store !== undefined) return store;
  if (storeSetting === undefined || storeSetting === '') return { kind: 'project' };
  const location = parseStoreLocation(storeSetting);
  if (location === undefined) throw new UsageError(`DEVS_STORE names no store. ${ALLOWED_STORES}`);
  return location;
}

import { buildMinimalState, type MinimalState, type StoreBackend } from '@devs/core';
import type { StoreServices } from '../store-access/with-store.js';
import { useStore } from '../store-access/with-store.js';

/** The tasks of a store that are blocked. */
export async function readBlockers(
  backend: StoreBackend,
  services: Pick<StoreServices, 'clock' | 'newId' | 'isGone'>,
): Promise<NonNullable<MinimalState['blocked_tasks']>> {
  const state = await useStore(backend, services, ({ store }) => store.state());
  return buildMinimalState(state).blocked_tasks ?? [];
}

import type { Store } from '../../event-log/open-store.js';
import { openStore } from '../../event-log/open-store.js';
import type { StoreBackend } from '../../ports/store-backend.js';
import { createManualClock } from '../manual-clock.js';

/** For a proof: one database, opened any number of times, as by several processes. */
export interface ContractWorld {
  readonly backend: StoreBackend;
  readonly store: Store;
  readonly clock: ReturnType<typeof createManualClock>;
  /** Another store on the same database. */
  another(): Promise<Store>;
}

export type Proof = (world: ContractWorld) => Promise<void>;

/** `open` gives a new connection to the same, at first empty, database each time it is called. */
export async function createContractWorld(
  open: () => Promise<StoreBackend>,
): Promise<ContractWorld & { close(): Promise<void> }> {
  const clock = createManualClock();
  const opened: StoreBackend[] = [];
  let ids = 0;
  const connect = async () => {
    const backend = await open();
    opened.push(backend);
    return { backend, store: openStore({ backend, clock, newId: () => `commit-${++ids}` }) };
  };
  const first = await connect();
  return {
    ...first,
    clock,
    another: async () => (await connect()).store,
    close: async () => {
      await Promise.all(opened.map((backend) => backend.close()));
    },
  };
}

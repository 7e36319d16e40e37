import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { Terminals } from '../terminal/create-terminals.js';
import type { Times } from '../time/describe-time.js';

export interface OverviewServices extends Console, StoreServices, Times {
  readonly terminals: Terminals;
}

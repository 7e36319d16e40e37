import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { Terminals } from './create-terminals.js';

export interface TerminalServices extends Console, StoreServices {
  readonly terminals: Terminals;
}

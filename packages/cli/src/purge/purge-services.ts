import type { Conversations } from '../handoff/conversations.js';
import type { Runs } from '../run/create-runs.js';
import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { Terminals } from '../terminal/create-terminals.js';

export interface PurgeServices extends Console, StoreServices {
  readonly conversations: Conversations;
  readonly runs: Runs;
  readonly terminals: Terminals;
}

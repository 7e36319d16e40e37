import type { Checkout } from '../checkout.js';
import type { Conversations } from '../handoff/conversations.js';
import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { ServeModel } from './model-server/serve-model.js';

export interface DebugServices extends Console, StoreServices {
  readonly conversations: Conversations;
  readonly serveModel: ServeModel;
  /** What a checkout of devs can do besides. */
  readonly checkout: Checkout | undefined;
  /** Runs a program of Node in front of the user. Gives its exit code. */
  readonly runProgram: (args: readonly string[]) => Promise<number>;
}

import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { ServeWorkflow } from './serve-workflow.js';

export interface McpServices extends Pick<Console, 'untilInterrupted'>, StoreServices {
  readonly serveWorkflow: ServeWorkflow;
}

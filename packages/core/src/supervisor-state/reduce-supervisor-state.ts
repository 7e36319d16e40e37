import type { StoredEvent } from '../ports/event-log.js';
import { createStateFold } from './state-fold.js';
import type { SupervisorState } from './supervisor-state.js';

/**
 * The state after one more event. Takes time in proportion to the tasks that are blocked or in progress: many events are
 * folded at once by `readSupervisorState`.
 */
export function reduceSupervisorState(state: SupervisorState, event: StoredEvent): SupervisorState {
  const fold = createStateFold(state);
  fold.take(event);
  return fold.state();
}

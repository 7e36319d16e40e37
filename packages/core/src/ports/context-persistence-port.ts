import type { MinimalState } from '../supervisor-state/minimal-state.js';

/**
 * Leaves the state in a file for tools outside (seed 001, "Option B").
 *
 * Contract: whoever reads the file sees the old content or the new, never half of one. Rejects when it cannot be written;
 * the caller goes on, since the store has it all.
 */
export interface ContextPersistencePort {
  save(state: MinimalState): Promise<void>;
}

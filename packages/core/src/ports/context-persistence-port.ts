import type { MinimalState } from '../supervisor-state/minimal-state.js';

/**
 * Writes the state to a file for external tools (seed 001, "Option B").
 *
 * Contract: a reader sees the old content or the new, never half of either. Rejects when the file cannot be written;
 * the caller continues, since the store has everything.
 */
export interface ContextPersistencePort {
  save(state: MinimalState): Promise<void>;
}

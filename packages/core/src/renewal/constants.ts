/** The names of seed 002. */

export const CONTEXT_REFRESH_HANDOFF_TIMEOUT_MS = 60_000;
export const CONTEXT_REFRESH_GIT_TIMEOUT_MS = 15_000;
/** The longest that is waited for the old process to be gone; the fresh one starts as soon as it is. */
export const CONTEXT_REFRESH_SPAWN_DELAY_MS = 3_000;
/** Renewals in a row in which no step or task ended; after that the agent's own compaction takes over. */
export const MAX_CONTEXT_REFRESHES = 10;
/** Characters of a terminal's output that a renewal reads a handoff from; see `capturedOutput`. */
export const OUTPUT_BUFFER_SIZE = 32_768;

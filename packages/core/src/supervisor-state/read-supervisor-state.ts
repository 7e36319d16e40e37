import type { JsonObject } from '../ports/json.js';
import type { StoreBackend } from '../ports/store-backend.js';
import { reduceSupervisorState } from './reduce-supervisor-state.js';
import { emptySupervisorState, type SupervisorState, SupervisorStateSchema } from './supervisor-state.js';

const SNAPSHOT = 'supervisor-state';
const BATCH = 1_000;
/** A snapshot is a cache: it is renewed when reading without it would have taken this many events. */
const EVENTS_PER_SNAPSHOT = 200;

/** The state as of now: the last snapshot and what happened since. */
export async function readSupervisorState(backend: StoreBackend): Promise<SupervisorState> {
  const start = await loadSnapshot(backend);
  let state = start;
  while (true) {
    const events = await backend.read({ after: state.position, limit: BATCH });
    state = events.reduce(reduceSupervisorState, state);
    if (events.length < BATCH) break;
  }
  if (state.position - start.position >= EVENTS_PER_SNAPSHOT) {
    await backend.saveSnapshot(SNAPSHOT, { position: state.position, state: state as unknown as JsonObject });
  }
  return state;
}

/** The state from the whole log, without any snapshot: what a snapshot must equal. */
export async function foldSupervisorState(backend: StoreBackend): Promise<SupervisorState> {
  let state = emptySupervisorState();
  while (true) {
    const events = await backend.read({ after: state.position, limit: BATCH });
    state = events.reduce(reduceSupervisorState, state);
    if (events.length < BATCH) return state;
  }
}

/** One that cannot be read, or is of another version, is left alone: the log has it all. */
async function loadSnapshot(backend: StoreBackend): Promise<SupervisorState> {
  const snapshot = await backend.loadSnapshot(SNAPSHOT);
  const parsed = SupervisorStateSchema.safeParse(snapshot?.state);
  return parsed.success && parsed.data.position === snapshot?.position ? parsed.data : emptySupervisorState();
}

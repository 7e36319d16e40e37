import type { StoreBackend } from '../ports/store-backend.js';
import { jsonOf } from '../stored-json.js';
import { readNewestFinished } from './read-newest-finished.js';
import { readUpTo } from './read-up-to.js';
import { createStateFold } from './state-fold.js';
import { emptySupervisorState, type SupervisorState, SupervisorStateSchema } from './supervisor-state.js';

const SNAPSHOT = 'supervisor-state';
/** A snapshot is a cache: it is renewed when reading without it would have taken this many events. */
const EVENTS_PER_SNAPSHOT = 200;

/** The state as of now: the last snapshot and what happened since. */
export async function readSupervisorState(backend: StoreBackend): Promise<SupervisorState> {
  const start = await loadSnapshot(backend);
  const { state, eventsRead } = await foldFrom(start, { backend });
  if (eventsRead >= EVENTS_PER_SNAPSHOT) {
    await backend.saveSnapshot(SNAPSHOT, { position: state.position, state: jsonOf(state) });
  }
  return state;
}

/** The state from the whole log, or up to a position, without any snapshot: a snapshot must equal it. */
export async function foldSupervisorState(backend: StoreBackend, upTo?: number): Promise<SupervisorState> {
  return (await foldFrom(emptySupervisorState(), { backend, upTo })).state;
}

interface Source {
  readonly backend: StoreBackend;
  readonly upTo?: number | undefined;
}

/**
 * A starved state is refilled right after the event that starved it, not at the next read: so the state follows from
 * the log alone, independent of snapshots. Dozens of finished tasks must be reopened to starve it again, so reading
 * the log again is rare.
 */
async function foldFrom(start: SupervisorState, { backend, upTo }: Source) {
  const fold = createStateFold(start);
  let eventsRead = 0;
  for await (const event of readUpTo(backend, { after: start.position, upTo })) {
    fold.take(event);
    eventsRead++;
    if (!fold.isStarved) continue;
    fold.refill(await readNewestFinished(backend, fold.position));
    eventsRead += fold.position;
  }
  return { state: fold.state(), eventsRead };
}

/** Ignores a snapshot that is unreadable or of another version: the log has everything. */
async function loadSnapshot(backend: StoreBackend): Promise<SupervisorState> {
  const snapshot = await backend.loadSnapshot(SNAPSHOT);
  const parsed = SupervisorStateSchema.safeParse(snapshot?.state);
  return parsed.success && parsed.data.position === snapshot?.position ? parsed.data : emptySupervisorState();
}

import type { Store } from '../../event-log/open-store.js';
import { readAll } from '../../event-log/read-log.js';
import type { StoreBackend } from '../../ports/store-backend.js';
import { believed, jsonOf } from '../../stored-json.js';
import { isUnfinished } from '../decide-run.js';
import { addRunFact, noRunFacts, type RunFacts, runIdOf } from '../run-facts.js';

/** A store and its database, which keeps the cache. */
export interface OpenedStore {
  readonly store: Store;
  readonly backend: StoreBackend;
}

const SNAPSHOT = 'runs';
const VERSION = 1;
/** Maximum number of events to read again. */
const SAVE_EVERY = 500;

/**
 * Every run that the store knows, the oldest first. Runs are found by going through the log; where that has come to is kept beside
 * it, so that the next look costs as much as has happened since.
 */
export const readRuns = async (opened: OpenedStore): Promise<readonly RunFacts[]> => (await readRunsUpTo(opened)).runs;

/** The same with the position of the log that they were read up to. */
export async function readRunsUpTo({
  store,
  backend,
}: OpenedStore): Promise<{ readonly runs: readonly RunFacts[]; readonly position: number }> {
  const kept = await load(backend);
  const runs = new Map(kept.runs.map((run) => [run.id, run]));
  let position = kept.position;
  for await (const event of readAll(store.log, { after: kept.position })) {
    position = event.position;
    const id = runIdOf(event.stream);
    if (id !== undefined) runs.set(id, addRunFact(runs.get(id) ?? noRunFacts(id), event));
  }
  const all = [...runs.values()];
  if (position - kept.position >= SAVE_EVERY) await save(backend, position, all);
  // A workflow that an agent started by itself, without a supervisor, is not a run of `devs run`.
  return { runs: all.filter(({ plan }) => plan !== undefined), position };
}

async function load(backend: StoreBackend): Promise<{ readonly position: number; readonly runs: readonly RunFacts[] }> {
  const snapshot = await backend.loadSnapshot(SNAPSHOT);
  if (snapshot === undefined) return { position: 0, runs: [] };
  const state = believed<{ readonly version?: number; readonly runs?: readonly RunFacts[] }>(snapshot.state);
  if (state.version !== VERSION || state.runs === undefined) return { position: 0, runs: [] };
  return { position: snapshot.position, runs: state.runs };
}

/** A cache: a failed write does no harm. */
async function save(backend: StoreBackend, position: number, runs: readonly RunFacts[]): Promise<void> {
  const state = jsonOf({ version: VERSION, runs: runs.map(slim) });
  await backend.saveSnapshot(SNAPSHOT, { position, state }).catch(() => {});
}

/** Details of an ended run that are not needed any more. */
const slim = (run: RunFacts): RunFacts =>
  isUnfinished(run) ? run : { ...run, counted: {}, checks: [], commits: [], stuck: [] };

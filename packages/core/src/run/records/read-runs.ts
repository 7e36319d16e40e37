import { archivedRuns } from '../../archive/archive-event.js';
import type { Snapshots, Store } from '../../event-log/open-store.js';
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

export interface RunsUpTo {
  /** The oldest first. */
  readonly runs: readonly RunFacts[];
  /** Of the log. */
  readonly position: number;
}

/** Every run that a store knows, for repeated lookups: each event is read once. */
export interface RunReader {
  read(): Promise<RunsUpTo>;
}

const SNAPSHOT = 'runs';
const VERSION = 1;
/** Maximum number of events to read again. */
const SAVE_EVERY = 500;

/** Every run that the store knows, the oldest first. */
export const readRuns = async (opened: OpenedStore): Promise<readonly RunFacts[]> => (await readRunsUpTo(opened)).runs;

/** The same with the position of the log that they were read up to. */
export const readRunsUpTo = ({ store }: OpenedStore): Promise<RunsUpTo> => createRunReader(store).read();

/**
 * Runs are found by going through the log; where that has come to is kept beside it, so that the first look costs as much as has
 * happened since the last one.
 */
export function createRunReader({ log, snapshots }: Pick<Store, 'log' | 'snapshots'>): RunReader {
  let runs: Map<string, RunFacts> | undefined;
  let [position, saved] = [0, 0];
  let reading: Promise<unknown> = Promise.resolve();
  const catchUp = async (): Promise<RunsUpTo> => {
    if (runs === undefined) {
      const kept = await load(snapshots);
      runs = new Map(kept.runs.map((run) => [run.id, run]));
      position = kept.position;
      saved = position;
    }
    for await (const event of readAll(log, { after: position })) {
      position = event.position;
      const id = runIdOf(event.stream);
      if (id !== undefined) runs.set(id, addRunFact(runs.get(id) ?? noRunFacts(id), event));
      for (const run of archivedRuns(event)) runs.set(run.id, run);
    }
    const all = archivedFirst([...runs.values()]);
    if (position - saved >= SAVE_EVERY) {
      await save(snapshots, position, all);
      saved = position;
    }
    // A workflow that an agent started by itself, without a supervisor, is not a run of `devs run`.
    return { runs: all.filter(({ plan }) => plan !== undefined), position };
  };
  return {
    async read() {
      const turn = reading.then(catchUp);
      reading = turn.catch(() => {});
      return turn;
    },
  };
}

/** They are the oldest, whenever they were archived. */
function archivedFirst(runs: readonly RunFacts[]): readonly RunFacts[] {
  const archived = runs.filter((run) => run.archived !== undefined);
  return archived.length === 0 ? runs : [...archived, ...runs.filter((run) => run.archived === undefined)];
}

async function load(snapshots: Snapshots): Promise<RunsUpTo> {
  const snapshot = await snapshots.loadSnapshot(SNAPSHOT);
  if (snapshot === undefined) return { position: 0, runs: [] };
  const state = believed<{ readonly version?: number; readonly runs?: readonly RunFacts[] }>(snapshot.state);
  if (state.version !== VERSION || state.runs === undefined) return { position: 0, runs: [] };
  return { position: snapshot.position, runs: state.runs };
}

/** A cache: a failed write does no harm. */
async function save(snapshots: Snapshots, position: number, runs: readonly RunFacts[]): Promise<void> {
  const state = jsonOf({ version: VERSION, runs: runs.map(slim) });
  await snapshots.saveSnapshot(SNAPSHOT, { position, state }).catch(() => {});
}

/** Details of an ended run that are not needed any more. */
const slim = (run: RunFacts): RunFacts =>
  isUnfinished(run) ? run : { ...run, counted: {}, countedUsd: {}, checks: [], commits: [], stuck: [] };

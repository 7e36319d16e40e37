import {
  addRunFact,
  type EventLog,
  isUnfinished,
  type JsonObject,
  noRunFacts,
  type RunFacts,
  runIdOf,
  type StoreBackend,
} from '@devs/core';
import { readAll } from '../log/read-newest.js';
import type { OpenedStore } from '../store-access/with-store.js';

const SNAPSHOT = 'runs';
const VERSION = 1;
/** So many events are read again at most. */
const SAVE_EVERY = 500;

/**
 * Every run that the store knows, the oldest first. Runs are found by going through the log; where that has come to is kept beside
 * it, so that the next look costs as much as has happened since.
 */
export async function readRuns({ store, backend }: OpenedStore): Promise<readonly RunFacts[]> {
  const kept = await load(backend);
  const runs = new Map(kept.runs.map((run) => [run.id, run]));
  let position = kept.position;
  for await (const event of readAll(store.log as EventLog, { after: kept.position })) {
    position = event.position;
    const id = runIdOf(event.stream);
    if (id !== undefined) runs.set(id, addRunFact(runs.get(id) ?? noRunFacts(id), event));
  }
  const all = [...runs.values()];
  if (position - kept.position >= SAVE_EVERY) await save(backend, position, all);
  // What an agent started by itself, without a supervisor, is a workflow and no run of `devs run`.
  return all.filter(({ plan }) => plan !== undefined);
}

async function load(backend: StoreBackend): Promise<{ readonly position: number; readonly runs: readonly RunFacts[] }> {
  const snapshot = await backend.loadSnapshot(SNAPSHOT);
  const state = snapshot?.state as unknown as { readonly version?: number; readonly runs?: readonly RunFacts[] };
  if (snapshot === undefined || state.version !== VERSION || state.runs === undefined) return { position: 0, runs: [] };
  return { position: snapshot.position, runs: state.runs };
}

/** It is a cache: whoever cannot write it goes on without. */
async function save(backend: StoreBackend, position: number, runs: readonly RunFacts[]): Promise<void> {
  const state = { version: VERSION, runs: runs.map(slim) } as unknown as JsonObject;
  await backend.saveSnapshot(SNAPSHOT, { position, state }).catch(() => {});
}

/** What nobody asks of a run that is over. */
const slim = (run: RunFacts): RunFacts =>
  isUnfinished(run) ? run : { ...run, counted: {}, checks: [], commits: [], stuck: [] };

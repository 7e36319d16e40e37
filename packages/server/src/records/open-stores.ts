import { ApiError } from '@devs/api';
import type { Clock, OpenedStore } from '@devs/core';
import type { ProjectPaths, ProjectsPort } from '../served-supervisor.js';

/** An unused store is closed after this time. */
const IDLE_MS = 30_000;
/** The list of projects is read again after this. */
const LIST_MS = 1_000;

/** A store that stays open until it is released. */
interface HeldStore extends OpenedStore {
  readonly place: ProjectPaths;
  release(): void;
}

/** The stores of known projects, opened once for all who ask. */
export interface OpenStores {
  places(): Promise<readonly ProjectPaths[]>;
  /** Rejects with an `ApiError` where devs does not know the project, or it has no records. */
  hold(root: string): Promise<HeldStore>;
  use<Result>(root: string, job: (opened: OpenedStore) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface Entry {
  readonly opened: Promise<OpenedStore>;
  holders: number;
  idle?: NodeJS.Timeout;
}

export function createOpenStores(projects: ProjectsPort, clock: Clock): OpenStores {
  const entries = new Map<string, Entry>();
  let listed: { readonly at: number; readonly places: Promise<readonly ProjectPaths[]> } | undefined;
  const places = () => {
    if (listed === undefined || clock.now() - listed.at > LIST_MS)
      listed = { at: clock.now(), places: projects.list() };
    return listed.places;
  };
  const release = (key: string, entry: Entry) => {
    entry.holders -= 1;
    if (entry.holders > 0 || entries.get(key) !== entry) return;
    entry.idle = setTimeout(() => {
      entries.delete(key);
      void entry.opened.then(({ store }) => store.close()).catch(() => {}); // a store that failed to open needs no close
    }, IDLE_MS);
    entry.idle.unref();
  };
  const hold = async (root: string): Promise<HeldStore> => {
    const place = (await places()).find((known) => known.root === root);
    if (place === undefined) throw new ApiError('not-found', `devs does not know the project ${root}`);
    const key = JSON.stringify(place);
    const entry = entries.get(key) ?? { opened: openPlace(projects, place), holders: 0 };
    entries.set(key, entry);
    entry.holders += 1;
    clearTimeout(entry.idle);
    try {
      const opened = await entry.opened;
      return { ...opened, place, release: once(() => release(key, entry)) };
    } catch (error) {
      if (entries.get(key) === entry) entries.delete(key);
      throw error;
    }
  };
  return {
    places,
    hold,
    async use(root, job) {
      const held = await hold(root);
      try {
        return await job(held);
      } finally {
        held.release();
      }
    },
    async close() {
      const all = [...entries.values()];
      entries.clear();
      for (const { opened, idle } of all) {
        clearTimeout(idle);
        await opened.then(({ store }) => store.close()).catch(() => {}); // it may be gone already
      }
    },
  };
}

async function openPlace(projects: ProjectsPort, place: ProjectPaths): Promise<OpenedStore> {
  const opened = await projects.open(place);
  if (opened === undefined) throw new ApiError('not-found', `there are no records of ${place.root}`);
  return opened;
}

function once(task: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) task();
    isDone = true;
  };
}

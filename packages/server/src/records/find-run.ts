import { ApiError } from '@devs/api';
import { type OpenedStore, type RunFacts, readRunsUpTo } from '@devs/core';
import type { OpenStores } from './open-stores.js';

/** A run with the store that it is in. */
export interface FoundRun extends OpenedStore {
  readonly run: RunFacts;
  readonly root: string;
  /** How far the log was read. */
  readonly position: number;
}

/** Uses a run; without a project, finds the project that has it. */
export async function withRun<Result>(
  stores: OpenStores,
  { run: id, project }: { readonly run: string; readonly project?: string },
  job: (found: FoundRun) => Promise<Result>,
): Promise<Result> {
  const roots = project === undefined ? (await stores.places()).map(({ root }) => root) : [project];
  for (const root of roots) {
    const held = await (project === undefined ? stores.hold(root).catch(() => undefined) : stores.hold(root));
    if (held === undefined) continue; // what cannot be read has no run that could be shown
    try {
      const { runs, position } = await readRunsUpTo(held);
      const run = runs.find((known) => known.id === id);
      if (run !== undefined) return await job({ ...held, run, root, position });
    } finally {
      held.release();
    }
  }
  throw new ApiError('not-found', `there is no run ${id}`);
}

/** Does something with each project that can be read, in turn. */
export async function forEachProject<Item>(
  stores: OpenStores,
  project: string | undefined,
  job: (opened: OpenedStore, root: string) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  if (project !== undefined) return stores.use(project, (opened) => job(opened, project));
  const items: Item[] = [];
  for (const { root } of await stores.places()) {
    const held = await stores.hold(root).catch(() => undefined); // `projects.list` reports the problem
    if (held === undefined) continue;
    try {
      items.push(...(await job(held, root)));
    } finally {
      held.release();
    }
  }
  return items;
}

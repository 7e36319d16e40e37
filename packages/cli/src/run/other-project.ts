import { type RunFacts, readRuns } from '@devs/core';
import { UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { chooseStore, type StoreOptions, useStore } from '../store-access/with-store.js';
import { namesOf } from './find-run.js';
import type { RunServices } from './run-services.js';

/** A project of the user, and its store. */
export interface FoundProject {
  readonly root: string;
  readonly location: StoreLocation;
  /** Those that are meant. */
  readonly runs: readonly RunFacts[];
}

type Meant = (runs: readonly RunFacts[]) => readonly RunFacts[];

/**
 * The user's other projects whose runs are meant; none if the current project has them. A named store is the only
 * candidate.
 */
export async function findOtherProjects(
  meant: Meant,
  options: StoreOptions,
  services: RunServices,
): Promise<readonly FoundProject[]> {
  const chosen = chooseStore(options, services);
  if (chosen.kind !== 'project' || meant(await runsIn(chosen, services)).length > 0) return [];
  const found: FoundProject[] = [];
  for (const { root, file } of await services.records.projects()) {
    const location = { kind: 'sqlite', file } as const;
    const runs = meant(await runsIn(location, services));
    if (runs.length > 0) found.push({ root, location, runs });
  }
  return found;
}

/** The only match. Rejects if there are several: the user must choose. */
export async function findOtherProject(
  meant: Meant,
  options: StoreOptions,
  services: RunServices,
): Promise<FoundProject | undefined> {
  const found = await findOtherProjects(meant, options, services);
  if (found.length < 2) return found[0];
  const named = found.map(({ root, runs }) => `  ${runs.at(-1)?.id}  in ${visible(root)}`);
  throw new UsageError(
    `several projects have such a run, and this folder has none. Name the run:\n${named.join('\n')}`,
  );
}

/** An unreadable project does not hide the others. */
async function runsIn(location: StoreLocation, services: RunServices): Promise<readonly RunFacts[]> {
  try {
    const backend = await services.records.open(location, 'existing');
    return backend === undefined ? [] : await useStore(backend, services, readRuns);
  } catch {
    return [];
  }
}

/** Those that are called so, or begin so; without a name all. */
const meantBy =
  (wanted: string | undefined) =>
  (runs: readonly RunFacts[]): readonly RunFacts[] =>
    wanted === undefined ? runs : runs.filter((run) => namesOf(run).some((name) => name.startsWith(wanted)));

/** The options of a command about a run, with the store that knows it, wherever the user is. */
export async function withRunStore<Options extends StoreOptions>(
  wanted: string | undefined,
  options: Options,
  services: RunServices,
): Promise<Options> {
  const other = await findOtherProject(meantBy(wanted), options, services);
  return other === undefined ? options : { ...options, store: other.location };
}

/** The project whose run is meant, where that is another one: what is about its files is done there. */
export const projectOfRun = (
  wanted: string | undefined,
  options: StoreOptions,
  services: RunServices,
): Promise<FoundProject | undefined> => findOtherProject(meantBy(wanted), options, services);

/** For a command that was given no name: which run it is about. */
export function sayPicked(run: Pick<RunFacts, 'id'>, services: RunServices, root?: string): void {
  services.warn(`devs: ${run.id}, the newest ${root === undefined ? 'run here' : `run in ${visible(root)}`}`);
}

import type { RunFacts } from '@devs/core';
import type { Services } from '../compose.js';
import { visible } from '../screen/visible.js';
import type { StoreOptions } from '../store-access/with-store.js';
import { namesOf } from './find-run.js';
import { type FoundProject, findOtherProject } from './other-project.js';

/** Those that are called so, or begin so; without a name all. */
const meantBy =
  (wanted: string | undefined) =>
  (runs: readonly RunFacts[]): readonly RunFacts[] =>
    wanted === undefined ? runs : runs.filter((run) => namesOf(run).some((name) => name.startsWith(wanted)));

/** The options of a command about a run, with the store that knows it, wherever the user is. */
export async function withRunStore<Options extends StoreOptions>(
  wanted: string | undefined,
  options: Options,
  services: Services,
): Promise<Options> {
  const other = await findOtherProject(meantBy(wanted), options, services);
  return other === undefined ? options : { ...options, store: other.location };
}

/** The project whose run is meant, where that is another one: what is about its files is done there. */
export const projectOfRun = (
  wanted: string | undefined,
  options: StoreOptions,
  services: Services,
): Promise<FoundProject | undefined> => findOtherProject(meantBy(wanted), options, services);

/** For a command that was given no name: which run it is about. */
export function sayPicked(run: Pick<RunFacts, 'id'>, services: Services, root?: string): void {
  services.complain(`devs: ${run.id}, the newest ${root === undefined ? 'run here' : `run in ${visible(root)}`}`);
}

import type { RunFacts } from '@devs/core';
import type { Services } from '../compose.js';
import type { StoreOptions } from '../store-access/with-store.js';
import { namesOf } from './find-run.js';
import { findOtherProject } from './other-project.js';

/** Whether one of these is called so, or begins so. */
const hasRun = (runs: readonly RunFacts[], wanted: string | undefined): boolean =>
  wanted === undefined
    ? runs.length > 0
    : runs.some((run) => namesOf(run).some((name) => name === wanted || name.startsWith(wanted)));

/** The options of a command about a run, with the store that knows it, wherever the user is. */
export async function withRunStore<Options extends StoreOptions>(
  wanted: string | undefined,
  options: Options,
  services: Services,
): Promise<Options> {
  const other = await findOtherProject((runs) => hasRun(runs, wanted), options, services);
  return other === undefined ? options : { ...options, store: other.location };
}

/** The folder of the project whose run is meant, where that is another one: what is about its files is done there. */
export async function folderOfRun(
  wanted: string | undefined,
  options: StoreOptions,
  services: Services,
): Promise<string | undefined> {
  return (await findOtherProject((runs) => hasRun(runs, wanted), options, services))?.root;
}

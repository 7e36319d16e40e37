import { CliError } from '../cli-error.js';
import { loadSettings } from '../config/load-settings.js';
import { chooseStore, type StoreOptions } from '../store-access/with-store.js';
import type { TaskServices } from './task-services.js';

export type SaysBase = Pick<
  TaskServices,
  'storeSetting' | 'settingsFiles' | 'confirm' | 'agreements' | 'warn' | 'records' | 'travel'
>;

/**
 * The commit that new tasks begin at, pushed to where every machine finds it. `undefined` for a store of this machine
 * alone, and in a clone without the remote: that is said, and no machine begins such a task.
 */
export async function saidBase(services: SaysBase, options: StoreOptions): Promise<string | undefined> {
  if (chooseStore(options, services).kind !== 'redis') return undefined;
  const { settings } = await loadSettings(services);
  const said = await services.travel.sayBase((await services.records.here()).root, settings.fleet.remote);
  switch (said.outcome) {
    case 'said':
      if (said.isFirst && said.mayBePublic)
        services.warn(
          `devs: work of runs is pushed to ${said.where}, in refs/devs/. If everybody can read that, so can they the work.`,
        );
      return said.commit;
    case 'no-remote':
      services.warn(
        `devs: no machine can begin this task: its work travels through git, and this clone has no remote "${settings.fleet.remote}". Add one, and add the task again.`,
      );
      return undefined;
    case 'not-said':
      throw new CliError(
        `the commit that the task begins at could not be pushed to ${settings.fleet.remote}, so that no other machine could begin it: ${said.message}. Try again.`,
      );
  }
}

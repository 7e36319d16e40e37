import { homedir } from 'node:os';
import { CliError } from './cli-error.js';
import { createRecords } from './store-access/create-records.js';
import { machineName } from './store-access/lease-holders.js';
import { agreementsFolder, openAgreements } from './trust/agreements.js';
import { createStoreGate } from './trust/store-gate.js';

export interface UsersWorld {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly warn: (text: string) => void;
}

/** The records of a user, by an environment. */
export function composeRecords({ env, platform, warn }: UsersWorld) {
  const agreements = openAgreements(async () => {
    const folder = agreementsFolder({ env, platform, home: homedir() });
    if (folder === undefined) throw new CliError('there is no home folder to keep what you agreed to in. Set HOME.');
    return folder;
  });
  const storeGate = createStoreGate({
    agreements,
    isTracked: async (path) => (await import('@devs/worktree')).isTracked(path, env),
    async wasUsedBefore(root) {
      const { listProjects, projectIndexFile } = await import('@devs/store');
      const { projects } = listProjects({ file: projectIndexFile({ env, platform, home: homedir() }) });
      return projects.some((project) => project.root === root);
    },
  });
  const recordsIn = (folder: string) =>
    createRecords({
      loadStores: () => import('@devs/store'),
      loadWorktree: () => import('@devs/worktree'),
      folder,
      env,
      platform,
      hostName: machineName(process.env),
      now: Date.now,
      warn,
      gate: storeGate,
    });
  return { agreements, storeGate, recordsIn };
}

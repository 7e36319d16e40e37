import { type RunFacts, readRuns, type SettingsLayer } from '@devs/core';
import type { Services } from '../compose.js';
import { loadSettings } from '../config/load-settings.js';
import type { OutputMode } from '../output-mode.js';
import { findRun } from '../runs/find-run.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { checkStoredFlags } from '../trust/agreed-flags.js';
import { askFolderTrust } from '../trust/folder-trust.js';
import { chooseAgent } from './choose-agent.js';
import { runOne } from './run-one.js';

export interface ResumeManner {
  readonly flags: readonly SettingsLayer[];
  readonly mode: OutputMode;
  readonly merge: boolean;
  readonly detach?: boolean;
  readonly options: StoreOptions;
}

/** Goes on with a run from wherever it stands, with the agent and in the folder that it began with. */
export async function resumeRun(
  wanted: string,
  { flags, mode, merge, detach = false, options }: ResumeManner,
  services: Services,
): Promise<number> {
  const run = findRun(await readRunsOf(options, services), wanted);
  const stored = run.plan?.flags ?? [];
  const { root } = await services.records.here();
  await checkStoredFlags({ stored, typed: flags, root }, services);
  const { settings } = await loadSettings(services, [...stored, ...flags]);
  const agent = chooseAgent({ agent: run.plan?.agent ?? settings.agent }, await services.runs.inspect(settings));
  const trustsFolder = await askFolderTrust({ agent, root }, services);
  return runOne(
    {
      subject: { runId: run.id },
      agent,
      settings,
      trustsFolder,
      mode,
      merge: merge || run.plan?.merge === true,
      detach,
      options,
    },
    services,
  );
}

const readRunsOf = (options: StoreOptions, services: Services): Promise<readonly RunFacts[]> =>
  withExistingStore(services, options, readRuns, () => []);

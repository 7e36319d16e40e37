import { type RunFacts, readRuns, type SettingsLayer } from '@devs/core';
import type { OutputMode } from '../screen/output-mode.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { findRun } from './find-run.js';
import { resolveResume } from './resolve-run.js';
import { runOne } from './run-one.js';
import type { RunServices } from './run-services.js';

export interface ResumeMode {
  readonly flags: readonly SettingsLayer[];
  readonly mode: OutputMode;
  readonly merge: boolean;
  readonly detach?: boolean;
  readonly options: StoreOptions;
}

/** Continues a run from where it stands, with the agent and in the folder that it began with. */
export async function resumeRun(
  wanted: string,
  { flags, mode, merge, detach = false, options }: ResumeMode,
  services: RunServices,
): Promise<number> {
  const run = findRun(await readRunsOf(options, services), wanted);
  const terms = await resolveResume(run, flags, services);
  const order = { ...terms, subject: { runId: run.id }, merge: merge || run.plan?.merge === true };
  return runOne({ order, mode, detach, options }, services);
}

const readRunsOf = (options: StoreOptions, services: RunServices): Promise<readonly RunFacts[]> =>
  withExistingStore(services, options, readRuns, () => []);

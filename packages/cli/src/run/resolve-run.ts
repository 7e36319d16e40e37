import type { RunFacts, RunPlan, RunStart, Settings, SettingsLayer } from '@devs/core';
import type { Services } from '../compose.js';
import { loadSettings } from '../config/load-settings.js';
import { checkStoredFlags, rememberFlags } from '../trust/agreed-flags.js';
import { askFolderTrust } from '../trust/folder-trust.js';
import { chooseAgent } from './choose-agent.js';
import { loadRunWorkflow, readAsked } from './read-request.js';

/** What a user asked for, in words. */
export interface AskedRun {
  readonly words: readonly string[];
  /** The workflow, where it is not one of the words. */
  readonly named?: string;
  readonly flags: readonly SettingsLayer[];
  readonly merge: boolean;
  readonly isQueue: boolean;
}

/** Everything a supervisor needs to start a run without asking. */
interface RunTerms {
  readonly agent: string;
  readonly settings: Settings;
  readonly trustsFolder: boolean;
}

export interface ResolvedRun extends RunTerms {
  readonly request: string;
  readonly workflow: Pick<RunStart, 'template' | 'source'>;
  readonly plan: Omit<RunPlan, 'request' | 'task'>;
  /** The file of the project that the workflow is from, for people; missing for what ships with devs. */
  readonly from?: string;
}

/** What resolving needs of the user's world; `confirm` may be unable to ask. */
export type Resolving = Pick<
  Services,
  'settingsFiles' | 'workflowFiles' | 'agreements' | 'confirm' | 'complain' | 'readText'
> & {
  readonly records: Pick<Services['records'], 'here'>;
  readonly runs: Pick<Services['runs'], 'inspect'>;
};

/** Settles what a run is about. Asks the user for what needs their agreement; rejects with a `CliError` without it. */
export async function resolveRun(asked: AskedRun, services: Resolving): Promise<ResolvedRun> {
  const { words, named, flags, merge, isQueue } = asked;
  const { settings } = await loadSettings(services, flags);
  const read = await readAsked(words, { ...(named === undefined ? {} : { named }), settings, isQueue }, services);
  const { ofProject, ...workflow } = await loadRunWorkflow(read.workflow, services);
  const { root } = await services.records.here();
  const terms = await settleTerms(settings, settings.agent, root, services);
  await rememberFlags(flags, root, services);
  return {
    ...terms,
    request: read.request,
    workflow,
    plan: {
      workflow: workflow.template.name,
      agent: terms.agent,
      place: settings.worktree,
      folder: root,
      ...(merge ? { merge } : {}),
      ...(flags.length === 0 ? {} : { flags }),
    },
    ...(ofProject === undefined ? {} : { from: ofProject }),
  };
}

/** The terms on which a run is continued: its own agent, and the flags that it was started with. */
export async function resolveResume(
  { plan }: Pick<RunFacts, 'plan'>,
  flags: readonly SettingsLayer[],
  services: Resolving,
): Promise<RunTerms> {
  const stored = plan?.flags ?? [];
  const { root } = await services.records.here();
  await checkStoredFlags({ stored, typed: flags, root }, services);
  const { settings } = await loadSettings(services, [...stored, ...flags]);
  return settleTerms(settings, plan?.agent ?? settings.agent, root, services);
}

async function settleTerms(settings: Settings, wanted: string, root: string, services: Resolving): Promise<RunTerms> {
  const agent = chooseAgent({ agent: wanted }, await services.runs.inspect(settings));
  return { agent, settings, trustsFolder: await askFolderTrust({ agent, root }, services) };
}

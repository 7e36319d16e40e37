import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { RunFacts, RunPlan, RunStart, Settings, SettingsLayer } from '@devs/core';
import { UsageError } from '../cli-error.js';
import { loadSettings } from '../config/load-settings.js';
import { suggestCommand } from '../program/suggest-command.js';
import { clip } from '../screen/clip.js';
import { checkStoredFlags, rememberFlags } from '../trust/agreed-flags.js';
import { askFolderTrust } from '../trust/folder-trust.js';
import { askToAgree } from '../trust/waiting-file.js';
import type { FoundWorkflow } from '../workflow/create-workflow-files.js';
import { loadWorkflow, unknownWorkflow } from '../workflow/open-workflow.js';
import { describeIgnored } from '../workflow/read-template.js';
import { chooseAgent } from './choose-agent.js';
import type { RunServices } from './run-services.js';

interface Asked {
  /** By its name, or a path. */
  readonly workflow: string;
  readonly request: string;
}

const MAX_COLUMNS = 100;
const LOOKS_LIKE_PATH = /[\\/].*\.ya?ml$|\.ya?ml$/i;

/**
 * What the words of `devs run` mean: `feature Add a cart`, `"Add a cart"`. The first one is a workflow only where there is one of
 * that name, and something stands behind it.
 */
async function readAsked(
  words: readonly string[],
  { named, settings, isQueue }: { readonly named?: string; readonly settings: Settings; readonly isQueue: boolean },
  { workflowFiles, warn }: Pick<RunServices, 'workflowFiles' | 'warn'>,
): Promise<Asked> {
  const [first = '', ...rest] = words;
  const known = await workflowFiles.find();
  const isWorkflow = LOOKS_LIKE_PATH.test(first) || known.some(({ name }) => name === first);
  const takesFirst = named === undefined && isWorkflow;
  const workflow = named ?? (takesFirst ? first : settings.workflow);
  const request = (takesFirst ? rest : words).join(' ').trim();
  if (isQueue && request !== '')
    throw new UsageError(
      '--queue takes what to do from the queue. Add it there with `devs task add`, or leave out --queue.',
    );
  if (!isQueue && request === '')
    throw new UsageError(
      words.length === 0
        ? 'missing request. Example: devs run "Add a cart". For the tasks of the queue: devs run --queue.'
        : `missing request for the workflow ${workflow}. Example: devs run ${workflow} "Add a cart".`,
    );
  if (named === undefined && !isWorkflow && isMeantAsWorkflow(first, rest, known))
    warn(
      `devs: ${unknownWorkflow(first, known).message} "${clip(first, MAX_COLUMNS)}" is taken as part of the request.`,
    );
  return { workflow, request };
}

/** One word, and then a text that was put in quotes; or a word that is nearly the name of a workflow. */
const isMeantAsWorkflow = (first: string, rest: readonly string[], known: readonly FoundWorkflow[]): boolean => {
  if (rest.length === 0 || /\s/.test(first)) return false;
  const names = known.map(({ name }) => name);
  return rest.some((word) => /\s/.test(word)) || suggestCommand(first, names) !== undefined;
};

interface RunWorkflow extends Pick<RunStart, 'template' | 'source'> {
  /** The file of the project that it is from, for people; missing for what ships with devs. */
  readonly ofProject?: string;
}

/** The workflow as a run keeps it, once the user agreed to it. Its digest tells whether the file has changed since. */
async function loadRunWorkflow(
  reference: string,
  services: Pick<RunServices, 'readText' | 'workflowFiles' | 'confirm' | 'agreements' | 'warn'>,
): Promise<RunWorkflow> {
  const { template, text, found, shown } = await loadWorkflow(reference, services);
  const path = found?.path ?? resolve(shown);
  if (found?.ignored !== undefined) services.warn(`devs: ${describeIgnored(found.ignored)}`);
  const waiting =
    found?.origin === 'shipped' || reference === '-'
      ? undefined
      : await services.workflowFiles.waiting({ path, shown, text });
  if (waiting !== undefined) await askToAgree(waiting, services);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { template, source: { path, digest }, ...(found?.origin === 'shipped' ? {} : { ofProject: shown }) };
}

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
  RunServices,
  'settingsFiles' | 'workflowFiles' | 'agreements' | 'confirm' | 'warn' | 'readText'
> & {
  readonly records: Pick<RunServices['records'], 'here'>;
  readonly runs: Pick<RunServices['runs'], 'inspect'>;
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

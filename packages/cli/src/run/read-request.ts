import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { RunStart, Settings } from '@devs/core';
import { UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { suggestCommand } from '../program/suggest-command.js';
import { clip } from '../screen/clip.js';
import { askToAgree } from '../trust/ask-to-agree.js';
import { describeIgnored } from '../workflow/describe-ignored.js';
import { loadWorkflow } from '../workflow/load-workflow.js';
import { unknownWorkflow } from '../workflow/unknown-workflow.js';
import type { FoundWorkflow } from '../workflow/workflow-files.js';

export interface Asked {
  /** By its name, or a path. */
  readonly workflow: string;
  readonly request: string;
}

const MOST_COLUMNS = 100;
const LOOKS_LIKE_PATH = /[\\/].*\.ya?ml$|\.ya?ml$/i;

/**
 * What the words of `devs run` mean: `feature Add a cart`, `"Add a cart"`. The first one is a workflow only where there is one of
 * that name, and something stands behind it.
 */
export async function readAsked(
  words: readonly string[],
  { named, settings, isQueue }: { readonly named?: string; readonly settings: Settings; readonly isQueue: boolean },
  { workflowFiles, complain }: Pick<Services, 'workflowFiles' | 'complain'>,
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
    complain(
      `devs: ${unknownWorkflow(first, known).message} "${clip(first, MOST_COLUMNS)}" is taken as part of the request.`,
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
export async function loadRunWorkflow(
  reference: string,
  services: Pick<Services, 'readText' | 'workflowFiles' | 'confirm' | 'agreements' | 'complain'>,
): Promise<RunWorkflow> {
  const { template, text, found, shown } = await loadWorkflow(reference, services);
  const path = found?.path ?? resolve(shown);
  if (found?.ignored !== undefined) services.complain(`devs: ${describeIgnored(found.ignored)}`);
  const waiting =
    found?.origin === 'shipped' || reference === '-'
      ? undefined
      : await services.workflowFiles.waiting({ path, shown, text });
  if (waiting !== undefined) await askToAgree(waiting, services);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { template, source: { path, digest }, ...(found?.origin === 'shipped' ? {} : { ofProject: shown }) };
}

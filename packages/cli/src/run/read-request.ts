import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { RunStart, Settings } from '@devs/core';
import { UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { loadWorkflow } from '../workflow/load-workflow.js';

export interface Asked {
  /** By its name, or a path. */
  readonly workflow: string;
  readonly request: string;
}

const LOOKS_LIKE_PATH = /[\\/].*\.ya?ml$|\.ya?ml$/i;

/**
 * What the words of `devs run` mean: `feature Add a cart`, `"Add a cart"`. The first one is a workflow only where there is one of
 * that name, and something stands behind it.
 */
export async function readAsked(
  words: readonly string[],
  { named, settings, isQueue }: { readonly named?: string; readonly settings: Settings; readonly isQueue: boolean },
  { workflowFiles }: Pick<Services, 'workflowFiles'>,
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
        ? 'what is to be done? Say it: devs run "Add a cart", or take the tasks of the queue with --queue.'
        : `what is to be done with the workflow ${workflow}? Say it: devs run ${workflow} "Add a cart".`,
    );
  return { workflow, request };
}

/** The workflow as a run keeps it. Its digest tells whether the file has changed since. */
export async function loadRunWorkflow(
  reference: string,
  services: Pick<Services, 'readText' | 'workflowFiles'>,
): Promise<Pick<RunStart, 'template' | 'source'>> {
  const { template, text, found, shown } = await loadWorkflow(reference, services);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { template, source: { path: found?.path ?? resolve(shown), digest } };
}

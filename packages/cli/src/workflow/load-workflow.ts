import type { WorkflowTemplate } from '@devs/core';
import { CliError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { visible } from '../screen/visible.js';
import { count } from '../words.js';
import { openWorkflow, type WorkflowText } from './open-workflow.js';
import { readTemplate } from './read-template.js';

export interface LoadedWorkflow extends WorkflowText {
  readonly template: WorkflowTemplate;
}

/** For a command that needs a workflow without problems. */
export async function loadWorkflow(
  reference: string,
  library: Pick<Services, 'readText' | 'workflowFiles'>,
): Promise<LoadedWorkflow> {
  const source = await openWorkflow(reference, library);
  const read = await readTemplate(source.text);
  if (read.ok) return { ...source, template: read.template };
  const { problems } = read;
  const first = problems[0];
  const place = first === undefined ? '' : ` Line ${first.line}: ${visible(first.message)}.`;
  throw new CliError(
    `${visible(source.shown)} has ${count(problems.length, 'problem')}.${place} See all: \`devs workflow check ${visible(reference)}\`.`,
  );
}

import type { WorkflowTemplate } from '@devs/core';
import type { WorkflowValidationError } from '@devs/core/workflow';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { WorkflowText } from './open-workflow.js';

export type ReadTemplate =
  | { readonly ok: true; readonly template: WorkflowTemplate }
  | { readonly ok: false; readonly problems: readonly WorkflowProblem[] };

/** The template in a text, or all that is wrong with it. */
export async function readTemplate(text: string): Promise<ReadTemplate> {
  // Loaded when it is first needed: no other command needs the YAML parser.
  const { loadWorkflowTemplateFromString, WorkflowValidationError } = await import('@devs/core/workflow');
  try {
    return { ok: true, template: loadWorkflowTemplateFromString(text) };
  } catch (error) {
    if (!(error instanceof WorkflowValidationError)) throw error;
    return { ok: false, problems: error.problems };
  }
}

/** One thing that is wrong with a workflow, and where. */
export type WorkflowProblem = WorkflowValidationError['problems'][number];

/** A repository must not replace what ships with devs. */
export const describeIgnored = (shown: string): string =>
  `${visible(shown)} has the name of a workflow that comes with devs, and you did not make it: ignored. Rename it to use it.`;

/** Without a text where it could not be read. */
export type ExaminedWorkflow = Omit<WorkflowText, 'text'> & Partial<Pick<WorkflowText, 'text'>> & ReadTemplate;

/** What is wrong with a workflow; that it cannot be read is a problem like any other, and the next one is looked at. */
export async function examineWorkflow(shown: string, open: () => Promise<WorkflowText>): Promise<ExaminedWorkflow> {
  try {
    const source = await open();
    return { ...source, ...(await readTemplate(source.text)) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { shown, ok: false, problems: [{ message: error.message, line: 1, column: 1 }] };
  }
}

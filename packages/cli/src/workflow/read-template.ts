import type { WorkflowTemplate } from '@devs/core';
import type { WorkflowProblem } from './workflow-problem.js';

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

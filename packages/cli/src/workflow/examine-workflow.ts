import { CliError } from '../cli-error.js';
import type { WorkflowText } from './open-workflow.js';
import { type ReadTemplate, readTemplate } from './read-template.js';

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

import { readFileSync } from 'node:fs';
import { loadWorkflowTemplate as load, type WorkflowTemplate } from '@devs/core/workflow';

/** The workflow in a file, checked. Throws `WorkflowValidationError` with every problem that it has. */
export const loadWorkflowTemplate = (path: string): WorkflowTemplate =>
  load(path, (file) => readFileSync(file, 'utf8'));

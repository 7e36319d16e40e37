import type { Console } from '../screen/console.js';
import type { WorkflowFiles } from './create-workflow-files.js';

export interface WorkflowServices extends Console {
  readonly workflowFiles: WorkflowFiles;
}

/** What `openWorkflow` takes. */
export const WORKFLOW_ARGUMENT = 'its name, a file (with a / or .yaml), or `-` for stdin';

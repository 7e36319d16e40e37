export {
  findUnknownPlaceholders,
  loadWorkflowTemplate,
  loadWorkflowTemplateFromString,
  WorkflowValidationError,
} from './loader.js';
export * from './machine.js';

export { loadWorkflowTemplate, loadWorkflowTemplateFromString, WorkflowValidationError } from './loader.js';
export * from './machine.js';

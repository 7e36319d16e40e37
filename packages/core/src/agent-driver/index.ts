export { GenericAgentConfig } from './generic-agent-config.js';
export { isAcknowledged } from './is-acknowledged.js';
export { showsPrompt } from './shows-prompt.js';

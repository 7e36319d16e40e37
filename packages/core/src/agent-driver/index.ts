export { GenericAgentConfig } from './generic-agent-config.js';
export { isAcknowledged } from './is-acknowledged.js';
export { showsBeginning, showsPrompt } from './shows-prompt.js';

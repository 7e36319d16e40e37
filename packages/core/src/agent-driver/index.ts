export { aboutError, kindOfError } from './about-error.js';
export { type ChannelMessage, decodeChannelMessage, encodeChannelMessage } from './channel-message.js';
export { isAcknowledged } from './is-acknowledged.js';
export { type AcpAgentConfig, type GenericAgentConfig, genericAgent, type OwnAgentConfig } from './own-agent.js';
export { showsBeginning, showsPrompt } from './shows-prompt.js';

export { AcpAgentConfig, type OwnAgentConfig } from './acp-agent-config.js';
export { type ChannelMessage, decodeChannelMessage, encodeChannelMessage } from './channel-message.js';
export { GenericAgentConfig } from './generic-agent-config.js';
export { isAcknowledged } from './is-acknowledged.js';
export { showsBeginning, showsPrompt } from './shows-prompt.js';

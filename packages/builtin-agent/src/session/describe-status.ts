import type { Conversation } from '../conversation/open-conversation.js';
import type { AgentSetup } from './agent-setup.js';

export function describeStatus({ id, path, state }: Conversation, { model, permissions }: AgentSetup): string {
  const { tokens, turn, compactions } = state;
  return [
    `conversation  ${id}`,
    `transcript    ${path}`,
    `model         ${model.name} (${model.provider})`,
    `context       ${tokens} of ${model.window} tokens, ${Math.round((100 * tokens) / model.window)} %`,
    `turns         ${turn}, compacted ${compactions} times`,
    `permissions   ${permissions.mode}`,
  ].join('\n');
}

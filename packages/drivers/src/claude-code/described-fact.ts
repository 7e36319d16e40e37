import type { ConversationDescribed, JsonObject } from '@devs/core';
import { objectIn } from '../reading/json.js';
import type { ClaudeCodeMemory } from './create-claude-code-parser.js';

/** Every line repeats where the conversation takes place; only what changed is said again. */
export function describedFact(
  record: JsonObject,
  { described: known, ownAgent }: Pick<ClaudeCodeMemory, 'described' | 'ownAgent'>,
): readonly ConversationDescribed[] {
  if (record.isSidechain === true && record.agentId !== ownAgent) return [];
  const model = record.type === 'assistant' ? objectIn(record.message)?.model : undefined;
  let changed: Record<string, string> | undefined;
  const describe = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value === '' || known.get(name) === value) return;
    known.set(name, value);
    changed = { ...changed, [name]: value };
  };
  describe('conversationId', record.sessionId);
  describe('folder', record.cwd);
  describe('branch', record.gitBranch);
  describe('agentVersion', record.version);
  describe('model', model === '<synthetic>' ? undefined : model);
  return changed === undefined ? [] : [{ type: 'conversation.described', ...changed }];
}

import type { ConversationDescribed, JsonObject } from '@devs/core';
import { objectIn, textIn } from '../reading/json.js';

/** Every line repeats where the conversation takes place; only what changed is said again. */
export function describedFact(record: JsonObject, known: Map<string, string>): readonly ConversationDescribed[] {
  if (record.isSidechain === true) return [];
  const model = record.type === 'assistant' ? textIn(objectIn(record.message)?.model) : undefined;
  const changed = {
    ...changedPart('conversationId', textIn(record.sessionId), known),
    ...changedPart('folder', textIn(record.cwd), known),
    ...changedPart('branch', textIn(record.gitBranch), known),
    ...changedPart('agentVersion', textIn(record.version), known),
    ...changedPart('model', model === '<synthetic>' ? undefined : model, known),
  };
  return Object.keys(changed).length === 0 ? [] : [{ type: 'conversation.described', ...changed }];
}

function changedPart(name: string, value: string | undefined, known: Map<string, string>): Record<string, string> {
  if (value === undefined || value === '' || known.get(name) === value) return {};
  known.set(name, value);
  return { [name]: value };
}

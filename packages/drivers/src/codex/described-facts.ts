import type { ConversationDescribed, JsonObject } from '@devs/core';
import { objectIn, textIn } from '../reading/json.js';

/** The first line and the start of every turn say where the conversation takes place; only what changed is said again. */
export function describedFacts(payload: JsonObject, known: Map<string, string>): readonly ConversationDescribed[] {
  const changed = {
    // A fork begins with a copy of the old conversation, whose own first line must not rename this one.
    ...(known.has('conversationId') ? {} : changedPart('conversationId', textIn(payload.id), known)),
    ...changedPart('folder', textIn(payload.cwd), known),
    ...changedPart('branch', textIn(objectIn(payload.git)?.branch), known),
    ...changedPart('agentVersion', textIn(payload.cli_version), known),
    ...changedPart('model', textIn(payload.model), known),
  };
  return Object.keys(changed).length === 0 ? [] : [{ type: 'conversation.described', ...changed }];
}

function changedPart(name: string, value: string | undefined, known: Map<string, string>): Record<string, string> {
  if (value === undefined || value === '' || known.get(name) === value) return {};
  known.set(name, value);
  return { [name]: value };
}

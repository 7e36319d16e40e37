import type { JsonObject } from '@devs/core';
import { textIn } from '../reading/json.js';
import type { Said } from './signal-reader.js';

/** What the hooks say that Claude Code and Codex have in common. `endsToo`: the name of one more that ends a turn. */
export function readTurnHook(payload: JsonObject, endsToo: string): Said | undefined {
  const event = textIn(payload.hook_event_name) ?? '';
  const detail = `${event} hook`;
  switch (event) {
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PreCompact':
      return { says: 'busy', detail };
    case 'Stop':
    case 'PostCompact':
    case endsToo:
      return { says: 'not-busy', detail };
    case 'PermissionRequest':
      return { says: 'waiting', detail: `${detail}: ${textIn(payload.tool_name) ?? ''}` };
    default:
      return undefined;
  }
}

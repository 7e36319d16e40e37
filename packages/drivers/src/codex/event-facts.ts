import type { ConversationFact, JsonObject } from '@devs/core';
import { textIn } from '../reading/json.js';
import type { CodexLine } from './create-codex-parser.js';
import { countedUsage } from './usage.js';

/** Events for the program's screen. Nearly all of them repeat the items. */
export function eventFacts(payload: JsonObject, line: CodexLine): readonly ConversationFact[] {
  const type = String(payload.type);
  if (type === 'token_count') return countedUsage(payload, line);
  if (type === 'turn_aborted') {
    return [{ type: 'input.noted', kind: 'interruption', text: textIn(payload.reason) ?? 'interrupted' }];
  }
  if (!REPEATS.has(type) && !REPEATING_FAMILIES.test(type)) line.countUnknown(`event_msg.${type}`);
  return [];
}

const REPEATS = new Set([
  'agent_message',
  'background_event',
  'context_compacted',
  'deprecation_notice',
  'entered_review_mode',
  'error',
  'exited_review_mode',
  'guardian_assessment',
  'item_completed',
  'item_started',
  'plan_update',
  'shutdown_complete',
  'stream_error',
  'sub_agent_activity',
  'task_complete',
  'task_started',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'turn_complete',
  'turn_diff',
  'turn_started',
  'user_message',
  'view_image_tool_call',
  'warning',
]);
const REPEATING_FAMILIES =
  /^(?:agent_reasoning|collab_|dynamic_tool_|exec_command_|hook_|image_generation_|mcp_|patch_apply_|undo_|web_search_)/;

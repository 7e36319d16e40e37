import type { JsonObject, UsageReported } from '@devs/core';
import { numberIn, objectIn, textIn } from '../reading/json.js';
import type { CodexLine } from './create-codex-parser.js';

/** One line per model call, with the call's own usage beside the sums of turn and thread (since 0.16x). */
export function recordedUsage(payload: JsonObject, { memory, position }: CodexLine): readonly UsageReported[] {
  const usage = objectIn(payload.usage);
  if (usage === undefined) return [];
  memory.hasUsageRecords = true;
  return [usageOf(usage, textIn(payload.response_id) ?? `line-${position.line}`)];
}

/**
 * Older versions say it in `token_count` only: `last_token_usage` is the last call, the total is of the whole thread.
 * The same count is repeated whenever a limit changes; a call has happened when the total has grown.
 */
export function countedUsage(payload: JsonObject, { memory, position }: CodexLine): readonly UsageReported[] {
  const info = objectIn(payload.info);
  const last = objectIn(info?.last_token_usage);
  const total = numberIn(objectIn(info?.total_token_usage)?.total_tokens);
  if (memory.hasUsageRecords || last === undefined || total === undefined || total === memory.lastTotal) return [];
  memory.lastTotal = total;
  // After a compaction the new size of the context appears here as a total without a call.
  return (numberIn(last.input_tokens) ?? 0) === 0 ? [] : [usageOf(last, `line-${position.line}`)];
}

function usageOf(usage: JsonObject, messageId: string): UsageReported {
  return {
    type: 'usage.reported',
    messageId,
    inputTokens: numberIn(usage.input_tokens) ?? 0,
    outputTokens: numberIn(usage.output_tokens) ?? 0,
    cachedTokens: numberIn(usage.cached_input_tokens) ?? 0,
  };
}

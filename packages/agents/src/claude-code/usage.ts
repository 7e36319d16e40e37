import type { JsonObject, UsageReported } from '@devs/core';
import { numberIn, objectIn, textIn } from '../reading/json.js';

/** What a model call cost, from any of its lines. */
export function usageOf(message: JsonObject): UsageReported | undefined {
  const usage = objectIn(message.usage);
  const messageId = textIn(message.id);
  if (usage === undefined || messageId === undefined) return undefined;
  const fresh = numberIn(usage.input_tokens) ?? 0;
  const written = numberIn(usage.cache_creation_input_tokens) ?? 0;
  const cached = numberIn(usage.cache_read_input_tokens) ?? 0;
  return {
    type: 'usage.reported',
    messageId,
    inputTokens: fresh + written + cached,
    outputTokens: numberIn(usage.output_tokens) ?? 0,
    cachedTokens: cached,
  };
}

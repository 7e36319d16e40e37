import type { JsonObject, UsageReported } from '@devs/core';
import { numberIn, objectIn } from '../reading/json.js';

/** Usage of a model call, from any of its lines. */
export function usageOf(message: JsonObject, messageId: string): UsageReported | undefined {
  const usage = objectIn(message.usage);
  if (usage === undefined) return undefined;
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

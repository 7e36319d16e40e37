import { ModelAnswerError } from '../errors/model-answer-error.js';
import type { LlmAnswer, TokenUsage } from '../ports/llm-client.js';

/** What a client gave, in one form. Providers leave out or set to null what they do not know. */
export function asAnswer(received: unknown): LlmAnswer {
  if (typeof received === 'string') return { text: received };
  if (typeof received !== 'object' || received === null || !('text' in received) || typeof received.text !== 'string') {
    throw new ModelAnswerError(received);
  }
  const { text, stopReason, usage } = received as { text: string; stopReason?: unknown; usage?: unknown };
  return {
    text,
    ...(typeof stopReason === 'string' && { stopReason }),
    ...(isUsage(usage) && { usage }),
  };
}

function isUsage(usage: unknown): usage is TokenUsage {
  if (typeof usage !== 'object' || usage === null) return false;
  const { inputTokens, outputTokens } = usage as Partial<Record<keyof TokenUsage, unknown>>;
  return isCount(inputTokens) && isCount(outputTokens);
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;

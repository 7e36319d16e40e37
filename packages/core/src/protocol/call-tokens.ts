import type { LlmAnswer, LlmMessage, TokenUsage } from '../ports/llm-client.js';
import { estimateTokens } from '../tokens/estimate-tokens.js';

/** What one call cost: what the provider reports, or an estimate of what was sent and written where it reports nothing. */
export function callTokens(
  prompt: string,
  history: readonly LlmMessage[] | undefined,
  { text, usage }: Partial<LlmAnswer>,
): TokenUsage & { readonly estimated: boolean } {
  if (usage !== undefined && usage.inputTokens + usage.outputTokens > 0) return { ...usage, estimated: false };
  const sent = [...(history ?? []).map((message) => message.text), prompt];
  return {
    inputTokens: sent.reduce((sum, part) => sum + estimateTokens(part), 0),
    outputTokens: estimateTokens(text ?? ''),
    estimated: true,
  };
}

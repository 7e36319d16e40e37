import { ModelAnswerError } from '../errors/model-answer-error.js';
import type { CompleteOptions, LlmAnswer, LlmClient, LlmMessage, TokenUsage } from '../ports/llm-client.js';
import { estimateTokens } from '../tokens/estimate-tokens.js';
import type { TurnContext } from './turn-context.js';
import { untilAborted } from './until-aborted.js';

/** Asks the model one question within a turn. Rejects with the signal's reason when the turn is aborted. */
export async function askModel(llmClient: LlmClient, prompt: string, context: TurnContext): Promise<LlmAnswer> {
  context.signal?.throwIfAborted();
  const options = optionsOf(context);
  const call = options === undefined ? llmClient.complete(prompt) : llmClient.complete(prompt, options);
  return asAnswer(await untilAborted(call, context.signal));
}

function optionsOf({ signal, history }: TurnContext): CompleteOptions | undefined {
  if (signal === undefined && history === undefined) return undefined;
  return { ...(signal && { signal }), ...(history && { history }) };
}

/** Normalizes a client's answer. Providers omit unknown fields or set them to null. */
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

/** Why providers say that an answer ended before the model was done. */
const CUT_OFF: ReadonlySet<string> = new Set([
  'length', // OpenAI and compatible servers
  'max_tokens', // Anthropic; Gemini in capitals
  'max_output_tokens', // OpenAI responses
  'model_context_window_exceeded', // Anthropic
]);

/** Whether the provider says that the answer was cut off. Without a word from it, no. */
export const isCutOff = (stopReason: unknown) =>
  typeof stopReason === 'string' && CUT_OFF.has(stopReason.toLowerCase());

/** Cost of one call: reported by the provider, or estimated from the sent and written text. */
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

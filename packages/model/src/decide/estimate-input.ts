import { estimateTokens } from '@devs/core';
import type { ModelRequest, RequestMessage } from '../request/model-request.js';

/** About what a message costs beside its text. */
const MESSAGE_TOKENS = 4;

export interface InputEstimate {
  readonly total: number;
  /** What an earlier request of the conversation has sent already. */
  readonly seenBefore: number;
}

/** About how many tokens a request costs. `scale` counts for the messages alone, so that instructions stay what they are. */
export function estimateInput({ system, tools, messages }: ModelRequest, scale: number): InputEstimate {
  const instructions = estimateTokens(system) + tools.reduce((sum, { definition }) => sum + ofValue(definition), 0);
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const before = estimateMessages(messages.slice(0, lastAnswer + 1), scale);
  const since = estimateMessages(messages.slice(lastAnswer + 1), scale);
  return { total: instructions + before + since, seenBefore: lastAnswer === -1 ? 0 : instructions + before };
}

export const estimateMessages = (messages: readonly RequestMessage[], scale: number): number =>
  Math.ceil(messages.reduce((sum, message) => sum + ofMessage(message), 0) * scale);

/** What the system says counts as instructions. */
function ofMessage({ role, text, calls, results }: RequestMessage): number {
  if (role === 'system') return 0;
  const parts = [text, ...calls.map(({ input }) => input), ...results.map((result) => result.text)];
  return MESSAGE_TOKENS + parts.reduce((sum, part) => sum + estimateTokens(part), 0);
}

const ofValue = (value: unknown) => estimateTokens(JSON.stringify(value) ?? '');

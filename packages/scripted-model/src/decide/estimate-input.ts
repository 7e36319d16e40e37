import { estimateTokens } from '@devs/core';
import type { ModelRequest, RequestMessage } from '../request/model-request.js';

/** Approximate overhead of a message. */
const MESSAGE_TOKENS = 4;

export interface InputEstimate {
  readonly total: number;
  /** Tokens already sent in an earlier request of the conversation. */
  readonly seenBefore: number;
}

/** Approximate tokens of a request. `scale` applies only to the messages, so that instructions keep their size. */
export function estimateInput({ system, tools, messages }: ModelRequest, scale: number): InputEstimate {
  const instructions = estimateTokens(system) + tools.reduce((sum, { definition }) => sum + ofValue(definition), 0);
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const before = estimateMessages(messages.slice(0, lastAnswer + 1), scale);
  const since = estimateMessages(messages.slice(lastAnswer + 1), scale);
  return { total: instructions + before + since, seenBefore: lastAnswer === -1 ? 0 : instructions + before };
}

export const estimateMessages = (messages: readonly RequestMessage[], scale: number): number =>
  Math.ceil(messages.reduce((sum, message) => sum + ofMessage(message), 0) * scale);

/** System messages count as instructions. */
function ofMessage({ role, text, calls, results }: RequestMessage): number {
  if (role === 'system') return 0;
  const parts = [text, ...calls.map(({ input }) => input), ...results.map((result) => result.text)];
  return MESSAGE_TOKENS + parts.reduce((sum, part) => sum + estimateTokens(part), 0);
}

const ofValue = (value: unknown) => estimateTokens(JSON.stringify(value) ?? '');

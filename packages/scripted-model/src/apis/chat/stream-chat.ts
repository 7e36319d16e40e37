import type { JsonObject } from '@devs/core';
import { piecesOf } from '../../reply/pieces-of.js';
import type { Answer, AnswerPart, ModelError } from '../../reply/reply.js';
import type { Usage } from '../../reply/usage.js';
import type { Frame, Wire } from '../api-format.js';
import { openAiError } from '../openai-error.js';

/** An answer as the chunks of a streamed completion. */
export function* streamChat(answer: Answer, wire: Wire): Generator<Frame> {
  const head = headOf('chat.completion.chunk', wire);
  const chunk = (delta: JsonObject, isPiece = false): Frame => ({
    data: { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    isPiece,
  });
  yield chunk({ role: 'assistant', content: '' });
  let calls = 0;
  for (const part of answer.parts) {
    const index = part.kind === 'call' ? calls++ : 0;
    if (part.kind === 'call') yield chunk({ tool_calls: [{ index, ...callHead(part, wire) }] });
    for (const piece of piecesOf(part.text, wire.pieceSize)) yield chunk(deltaOf(part, piece, index), true);
  }
  if (answer.ending.kind === 'failure') yield { data: chatError(answer.ending.error) };
  if (answer.ending.kind !== 'complete' && answer.ending.kind !== 'cut') return;
  yield { data: { ...head, choices: [{ index: 0, delta: {}, finish_reason: finishReason(answer) }] } };
  if (wire.request.wantsUsage) yield { data: { ...head, choices: [], usage: usageFields(answer.usage) } };
  yield { data: '[DONE]' };
}

/** The same answer in one piece. */
export function wholeChat(answer: Answer, wire: Wire): JsonObject {
  const textOf = (kind: AnswerPart['kind']) =>
    answer.parts
      .filter((part) => part.kind === kind)
      .map(({ text }) => text)
      .join('');
  const calls = answer.parts.flatMap((part) =>
    part.kind === 'call' ? [{ ...callHead(part, wire), function: { name: part.name, arguments: part.text } }] : [],
  );
  const message = {
    role: 'assistant',
    content: textOf('text') || null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...headOf('chat.completion', wire),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
    usage: usageFields(answer.usage),
  };
}

export const chatError = (error: ModelError): JsonObject => {
  const { window, tokens } = error.overflow ?? { window: 0, tokens: 0 };
  const tooLong = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
  return { error: openAiError(error, tooLong) };
};

const MS = 1_000;

const headOf = (object: string, { request, newId, nowMs }: Wire) => ({
  id: newId('chatcmpl'),
  object,
  created: Math.floor(nowMs / MS),
  model: request.model,
});

const callHead = ({ name }: { readonly name: string }, { newId }: Wire) => ({
  id: newId('call'),
  type: 'function',
  function: { name, arguments: '' },
});

function deltaOf(part: AnswerPart, piece: string, index: number): JsonObject {
  switch (part.kind) {
    case 'text':
      return { content: piece };
    case 'thinking':
      return { reasoning_content: piece };
    case 'call':
      return { tool_calls: [{ index, function: { arguments: piece } }] };
  }
}

function finishReason({ ending, parts }: Answer): string {
  if (ending.kind === 'cut') return 'length';
  return parts.some(({ kind }) => kind === 'call') ? 'tool_calls' : 'stop';
}

const usageFields = ({ input, output, cached }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
});

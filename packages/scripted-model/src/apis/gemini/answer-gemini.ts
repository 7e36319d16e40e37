import type { JsonObject } from '@devs/core';
import { piecesOf } from '../../reply/pieces-of.js';
import type { Answer, AnswerPart, CallPart, ModelError } from '../../reply/reply.js';
import type { Usage } from '../../reply/usage.js';
import type { Frame, Wire } from '../api-format.js';

/** An answer as the chunks of a stream: a call comes in one piece, and the last chunk says why it ended. */
export function* streamGemini(answer: Answer, wire: Wire): Generator<Frame> {
  const chunk = (parts: readonly JsonObject[], more: JsonObject = {}) => responseOf(wire, parts, more);
  for (const part of answer.parts) {
    if (part.kind === 'call') yield { data: chunk([callPart(part, wire)]), isPiece: true };
    else
      for (const piece of piecesOf(part.text, wire.pieceSize))
        yield { data: chunk([textPart(part, piece)]), isPiece: true };
  }
  if (answer.ending.kind === 'failure') yield { data: geminiError(answer.ending.error) };
  if (answer.ending.kind !== 'complete' && answer.ending.kind !== 'cut') return;
  yield { data: { ...chunk([{ text: '' }], endOf(answer)), usageMetadata: usageFields(answer.usage) } };
}

/** The same answer in one piece. */
export function wholeGemini(answer: Answer, wire: Wire): JsonObject {
  const parts = answer.parts.map((part) => (part.kind === 'call' ? callPart(part, wire) : textPart(part, part.text)));
  return { ...responseOf(wire, parts, endOf(answer)), usageMetadata: usageFields(answer.usage) };
}

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

export const geminiError = ({ status, type, message, overflow }: ModelError): JsonObject => {
  const tooLong = `The input token count (${overflow?.tokens}) exceeds the maximum number of tokens allowed (${overflow?.window}).`;
  const usual = overflow === undefined ? 'The request was not answered.' : tooLong;
  return { error: { code: status, message: message ?? usual, status: type ?? STATUS[status] ?? 'UNKNOWN' } };
};

const responseOf = ({ request, newId }: Wire, parts: readonly JsonObject[], more: JsonObject): JsonObject => ({
  candidates: [{ content: { role: 'model', parts: [...parts] }, index: 0, ...more }],
  modelVersion: request.model,
  responseId: newId('response'),
});

const endOf = ({ ending }: Answer): JsonObject => ({ finishReason: ending.kind === 'cut' ? 'MAX_TOKENS' : 'STOP' });

const textPart = ({ kind }: AnswerPart, text: string): JsonObject =>
  kind === 'thinking' ? { text, thought: true } : { text };

/** What is cut off within a call never reaches a client of this API: its arguments are an object. */
function callPart({ name, text }: CallPart, { newId }: Wire): JsonObject {
  return { functionCall: { id: newId('call'), name, args: argumentsIn(text) } };
}

function argumentsIn(text: string): JsonObject {
  try {
    return JSON.parse(text === '' ? '{}' : text) as JsonObject;
  } catch {
    return {};
  }
}

const usageFields = ({ input, output, cached }: Usage): JsonObject => ({
  promptTokenCount: input,
  candidatesTokenCount: output,
  totalTokenCount: input + output,
  cachedContentTokenCount: cached,
});

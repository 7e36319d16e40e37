import type { JsonObject } from '@devs/core';
import { piecesOf } from '../../reply/pieces-of.js';
import type { Answer, AnswerPart, Ending } from '../../reply/reply.js';
import type { Usage } from '../../reply/usage.js';
import type { Frame, Wire } from '../api-format.js';
import { anthropicError } from './anthropic-error.js';

/** An answer as the events of a streamed message. */
export function* streamAnthropic(answer: Answer, wire: Wire): Generator<Frame> {
  const { parts, ending, usage } = answer;
  yield frame({ type: 'message_start', message: messageHead(usage, wire) });
  yield frame({ type: 'ping' });
  for (const [index, part] of parts.entries()) {
    yield frame({ type: 'content_block_start', index, content_block: emptyBlock(part, wire) });
    for (const piece of piecesOf(part.text, wire.pieceSize)) {
      yield { ...frame({ type: 'content_block_delta', index, delta: deltaOf(part, piece) }), isPiece: true };
    }
    if (isBroken(ending) && index === parts.length - 1) break; // in the middle of this block
    if (part.kind === 'thinking') {
      yield frame({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: SIGNATURE } });
    }
    yield frame({ type: 'content_block_stop', index });
  }
  if (ending.kind === 'failure') yield { event: 'error', data: anthropicError(ending.error, wire) };
  if (isBroken(ending)) return;
  const delta = { stop_reason: stopReason(answer), stop_sequence: null };
  yield frame({ type: 'message_delta', delta, usage: { output_tokens: usage.output } });
  yield frame({ type: 'message_stop' });
}

/** The same answer in one piece. */
export function wholeAnthropic(answer: Answer, wire: Wire): JsonObject {
  return {
    ...messageHead(answer.usage, wire),
    content: answer.parts.map((part) => wholeBlock(part, wire)),
    stop_reason: stopReason(answer),
    usage: { ...usageFields(answer.usage), output_tokens: answer.usage.output },
  };
}

const SIGNATURE = 'c2NyaXB0ZWQ=';

const frame = (data: JsonObject & { readonly type: string }): Frame => ({ event: data.type, data });

const isBroken = ({ kind }: Ending) => kind === 'drop' || kind === 'hang' || kind === 'failure';

const messageHead = (usage: Usage, { request, newId }: Wire) => ({
  id: newId('msg'),
  type: 'message',
  role: 'assistant',
  model: request.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...usageFields(usage), output_tokens: 1 },
});

/** Here `input_tokens` is only what neither was in the cache nor went into it. */
const usageFields = ({ input, cached, written }: Usage) => ({
  input_tokens: input - cached - written,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
  cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
  service_tier: 'standard',
});

function stopReason({ ending, parts }: Answer): string {
  if (ending.kind === 'cut') return 'max_tokens';
  return parts.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn';
}

function emptyBlock(part: AnswerPart, { newId }: Wire): JsonObject {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'call':
      return { type: 'tool_use', id: newId('toolu'), name: part.name, input: {} };
  }
}

function deltaOf(part: AnswerPart, piece: string): JsonObject {
  switch (part.kind) {
    case 'text':
      return { type: 'text_delta', text: piece };
    case 'thinking':
      return { type: 'thinking_delta', thinking: piece };
    case 'call':
      return { type: 'input_json_delta', partial_json: piece };
  }
}

function wholeBlock(part: AnswerPart, wire: Wire): JsonObject {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'thinking':
      return { type: 'thinking', thinking: part.text, signature: SIGNATURE };
    case 'call':
      return { ...emptyBlock(part, wire), input: parsedInput(part.text) };
  }
}

/** A call that was cut off has no whole input. */
function parsedInput(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}

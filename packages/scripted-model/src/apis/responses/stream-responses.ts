import type { JsonObject } from '@devs/core';
import { piecesOf } from '../../reply/pieces-of.js';
import type { Answer, AnswerPart, ModelError } from '../../reply/reply.js';
import type { Usage } from '../../reply/usage.js';
import type { Frame, Wire } from '../api-format.js';
import { openAiError } from '../openai-error.js';
import { type OutputItem, toItem } from './output-item.js';

/** An answer as the events of a streamed response. */
export function* streamResponses(answer: Answer, wire: Wire): Generator<Frame> {
  const events = createNumbering();
  const head = headOf(wire);
  const { ending } = answer;
  yield events('response.created', { response: { ...head, status: 'in_progress' } });
  yield events('response.in_progress', { response: { ...head, status: 'in_progress' } });
  const items = answer.parts.map((part) => toItem(part, wire));
  for (const [index, item] of items.entries()) {
    const isOpen = ending.kind !== 'complete' && ending.kind !== 'cut' && index === items.length - 1;
    yield* streamItem(item, { index, isOpen, wire, events });
  }
  if (ending.kind === 'failure') yield events('response.failed', { response: failed(head, ending.error) });
  if (ending.kind !== 'complete' && ending.kind !== 'cut') return;
  const response = finished(head, answer, items);
  yield events(ending.kind === 'cut' ? 'response.incomplete' : 'response.completed', { response });
}

/** The same answer in one piece. */
export const wholeResponses = (answer: Answer, wire: Wire): JsonObject =>
  finished(
    headOf(wire),
    answer,
    answer.parts.map((part) => toItem(part, wire)),
  );

export const responsesError = (error: ModelError): JsonObject => ({ error: openAiError(error, TOO_LONG) });

/** A response that fails before anything was written. */
export function* streamFailure(error: ModelError, wire: Wire): Generator<Frame> {
  const events = createNumbering();
  const head = headOf(wire);
  yield events('response.created', { response: { ...head, status: 'in_progress' } });
  yield events('response.failed', { response: failed(head, error) });
}

const TOO_LONG = 'Your input exceeds the context window of this model. Please adjust your input and try again.';
const MS = 1_000;

type Events = (type: string, fields: JsonObject, isPiece?: boolean) => Frame;

function createNumbering(): Events {
  let number = 0;
  return (type, fields, isPiece = false) => ({
    event: type,
    data: { type, sequence_number: number++, ...fields },
    isPiece,
  });
}

interface ItemStream {
  readonly index: number;
  /** Whether it never comes to its end. */
  readonly isOpen: boolean;
  readonly wire: Wire;
  readonly events: Events;
}

function* streamItem({ part, id, begun, done }: OutputItem, { index, isOpen, wire, events }: ItemStream) {
  const at = { item_id: id, output_index: index };
  const { inner, piece, whole, place } = EVENTS[part.kind === 'call' && part.isCustom ? 'custom' : part.kind];
  yield events('response.output_item.added', { output_index: index, item: begun });
  if (inner !== undefined) yield events(`${inner.event}.added`, { ...at, ...place, part: inner.part('') });
  for (const delta of piecesOf(part.text, wire.pieceSize)) yield events(piece, { ...at, ...place, delta }, true);
  if (isOpen) return;
  yield events(whole.event, { ...at, ...place, [whole.field]: part.text });
  if (inner !== undefined) yield events(`${inner.event}.done`, { ...at, ...place, part: inner.part(part.text) });
  yield events('response.output_item.done', { output_index: index, item: done });
}

interface ItemEvents {
  readonly piece: string;
  readonly whole: { readonly event: string; readonly field: string };
  readonly place: JsonObject;
  /** The part of the item that the text is in. */
  readonly inner?: { readonly event: string; readonly part: (text: string) => JsonObject };
}

const EVENTS: Readonly<Record<AnswerPart['kind'] | 'custom', ItemEvents>> = {
  text: {
    piece: 'response.output_text.delta',
    whole: { event: 'response.output_text.done', field: 'text' },
    place: { content_index: 0, logprobs: [] },
    inner: {
      event: 'response.content_part',
      part: (text) => ({ type: 'output_text', text, annotations: [], logprobs: [] }),
    },
  },
  thinking: {
    piece: 'response.reasoning_summary_text.delta',
    whole: { event: 'response.reasoning_summary_text.done', field: 'text' },
    place: { summary_index: 0 },
    inner: { event: 'response.reasoning_summary_part', part: (text) => ({ type: 'summary_text', text }) },
  },
  call: {
    piece: 'response.function_call_arguments.delta',
    whole: { event: 'response.function_call_arguments.done', field: 'arguments' },
    place: {},
  },
  custom: {
    piece: 'response.custom_tool_call_input.delta',
    whole: { event: 'response.custom_tool_call_input.done', field: 'input' },
    place: {},
  },
};

const headOf = ({ request, newId, nowMs }: Wire) => ({
  id: newId('resp'),
  object: 'response',
  created_at: Math.floor(nowMs / MS),
  model: request.model,
  output: [],
  error: null,
  incomplete_details: null,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
});

function finished(head: JsonObject, { ending, usage }: Answer, items: readonly OutputItem[]): JsonObject {
  const isCut = ending.kind === 'cut';
  return {
    ...head,
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: items.map(({ done }) => done),
    usage: usageFields(usage),
  };
}

const failed = (head: JsonObject, error: ModelError): JsonObject => {
  const { code, type, message } = openAiError(error, TOO_LONG);
  return { ...head, status: 'failed', error: { code: code ?? type ?? null, message: message ?? '' }, usage: null };
};

const usageFields = ({ input, output, cached }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

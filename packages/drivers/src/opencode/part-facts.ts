import type { ConversationFact, JsonObject } from '@devs/core';
import { numberIn, objectIn, textIn } from '../reading/json.js';
import type { OpencodeMemory } from './create-opencode-parser.js';
import { toolFacts } from './tool-facts.js';

export interface OpencodePart {
  readonly part: JsonObject;
  readonly id: string;
  readonly message: JsonObject;
  readonly memory: OpencodeMemory;
  readonly countUnknown: (type: string) => void;
}

/** A part of a message. Parts change until they are finished; each is reported once, when finished. */
export function partFacts(entry: OpencodePart): readonly ConversationFact[] {
  const { part, id, memory, countUnknown } = entry;
  if (part.type === 'tool') return toolFacts(entry);
  const facts = finishedFacts(entry);
  if (facts === undefined) {
    if (!KNOWN_TO_SAY_NOTHING.has(String(part.type))) countUnknown(String(part.type));
    return [];
  }
  if (facts.length === 0 || memory.told.has(id)) return [];
  memory.told.set(id, true);
  return facts;
}

const KNOWN_TO_SAY_NOTHING = new Set(['step-start', 'patch', 'snapshot', 'file', 'agent', 'subtask', 'retry']);

function finishedFacts({ part, id, message }: OpencodePart): readonly ConversationFact[] | undefined {
  switch (part.type) {
    case 'text':
      return textFacts(part, message);
    case 'reasoning':
      return isFinished(part) ? [{ type: 'thought.written', text: textIn(part.text) ?? '' }] : [];
    case 'step-finish':
      return usageFacts(part, id);
    case 'compaction':
      return [{ type: 'context.compacted', trigger: part.auto === true ? 'auto' : 'manual' }];
    default:
      return undefined;
  }
}

function textFacts(part: JsonObject, message: JsonObject): readonly ConversationFact[] {
  const text = textIn(part.text) ?? '';
  if (text.trim() === '' || part.ignored === true) return [];
  if (message.role === 'user') {
    // Synthetic: contents of files the user named, reminders, and "continue" after a compaction.
    return [part.synthetic === true ? { type: 'input.noted', kind: 'meta', text } : { type: 'request.made', text }];
  }
  if (!isFinished(part)) return [];
  return [{ type: message.summary === true ? 'summary.written' : 'note.written', text }];
}

const isFinished = (part: JsonObject) => numberIn(objectIn(part.time)?.end) !== undefined;

/** One step is one call of the model. */
function usageFacts(part: JsonObject, id: string): readonly ConversationFact[] {
  const tokens = objectIn(part.tokens);
  const fresh = numberIn(tokens?.input);
  if (tokens === undefined || fresh === undefined) return [];
  const cache = objectIn(tokens.cache);
  const cached = numberIn(cache?.read) ?? 0;
  const input = fresh + cached + (numberIn(cache?.write) ?? 0);
  const total = numberIn(tokens.total);
  const output = (numberIn(tokens.output) ?? 0) + (numberIn(tokens.reasoning) ?? 0);
  return [
    {
      type: 'usage.reported',
      messageId: id,
      inputTokens: input,
      // Whether `output` includes reasoning depends on the version; the total does not.
      outputTokens: total === undefined || total < input ? output : total - input,
      cachedTokens: cached,
      ...costOf(part),
    },
  ];
}

/** 0 where opencode knows no price of the model. */
function costOf({ cost }: JsonObject): { readonly costUsd?: number } {
  const usd = numberIn(cost) ?? 0;
  return usd > 0 ? { costUsd: usd } : {};
}

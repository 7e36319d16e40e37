import type { ConversationEvent, JsonObject, LinePosition, TranscriptParser } from '@devs/core';
import { listIn, objectIn, parseObject, textIn } from '../reading/json.js';
import { createTally } from '../reading/tally.js';
import { withProvenance } from '../reading/with-provenance.js';
import { createGeminiMemory, type GeminiMemory } from './gemini-memory.js';
import { messageFacts } from './message-facts.js';

/** Reads the lines of `~/.gemini/tmp/<project>/chats/session-<time>-<conversation>.jsonl`. */
export function createGeminiParser(remembered?: unknown): TranscriptParser {
  const before = objectIn(remembered);
  const tally = createTally(before?.tally);
  const memory = createGeminiMemory(before?.told);
  return {
    tally: tally.read,
    memory: () => ({ tally: tally.memory(), told: memory.keep() }),
    parseLine(line, position) {
      if (line.trim() === '') return [];
      const record = parseObject(line);
      if (record === undefined) return tally.damaged();
      tally.understood();
      return eventsOf(record, { memory, position, countUnknown: tally.unknown });
    },
  };
}

interface GeminiLine {
  readonly memory: GeminiMemory;
  readonly position: LinePosition;
  readonly countUnknown: (type: string) => void;
}

function eventsOf(record: JsonObject, line: GeminiLine): readonly ConversationEvent[] {
  if (record.type !== undefined) return messageEvents(record, line, { restated: false });
  const change = objectIn(record.$set);
  if (change === undefined && record.sessionId === undefined) {
    if (record.$rewindTo === undefined) line.countUnknown(Object.keys(record)[0] ?? 'empty');
    return [];
  }
  // After a resumption, a cancellation or a compression the program writes its whole history again.
  const told = change ?? record;
  return [
    ...headEvents(told, line),
    ...listIn(told.messages).flatMap((message) => messageEvents(objectIn(message) ?? {}, line, { restated: true })),
  ];
}

function headEvents(head: JsonObject, { memory, position }: GeminiLine): readonly ConversationEvent[] {
  if (head.kind === 'subagent') memory.subAgent = textIn(head.sessionId) ?? 'sub-agent';
  const described = memory.describe({
    conversationId: textIn(head.sessionId),
    folder: textIn(listIn(head.directories)[0]),
  });
  return described.map((fact) => ({ ...fact, from: { ...position, ...subAgentOf(memory) } }));
}

function messageEvents(
  message: JsonObject,
  { memory, position, countUnknown }: GeminiLine,
  { restated }: { readonly restated: boolean },
): readonly ConversationEvent[] {
  const facts = messageFacts(message, memory, { restated });
  if (facts === undefined) {
    countUnknown(String(message.type));
    return [];
  }
  const at = textIn(message.timestamp);
  const id = textIn(message.id);
  const from = {
    ...position,
    ...(at === undefined ? {} : { at }),
    ...(id === undefined ? {} : { id }),
    ...subAgentOf(memory),
  };
  return withProvenance(facts, from);
}

const subAgentOf = ({ subAgent }: GeminiMemory) => (subAgent === undefined ? {} : { subAgent });

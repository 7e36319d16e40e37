import type {
  ConversationDescribed,
  ConversationFact,
  JsonObject,
  LinePosition,
  Provenance,
  TranscriptParser,
} from '@devs/core';
import { boundedMap } from '../reading/bounded-map.js';
import { numberIn, objectIn, parseObject, textIn } from '../reading/json.js';
import { entriesIn, keysIn } from '../reading/remembered.js';
import { createTally } from '../reading/tally.js';
import { withProvenance } from '../reading/with-provenance.js';
import { messageFacts } from './message-facts.js';
import { partFacts } from './part-facts.js';

/**
 * Reads the records of opencode's database, each as one line of JSON, which `readOpencodeConversation` writes:
 * `{ session }`, then `{ id, message, sessionId?, subAgent? }` and `{ id, message, part, … }` with the columns `data`.
 */
export function createOpencodeParser(remembered?: unknown): TranscriptParser {
  const before = objectIn(remembered) ?? {};
  const tally = createTally(before.tally);
  const memory: OpencodeMemory = {
    told: boundedMap(REMEMBERED, keysIn(before.told)),
    described: new Map(entriesIn(before.described, textIn)),
  };
  return {
    tally: tally.read,
    memory: () => ({
      tally: tally.memory(),
      told: [...memory.told.keys()].join('\n'),
      described: [...memory.described],
    }),
    parseLine(line, position) {
      if (line.trim() === '') return [];
      const record = parseObject(line);
      if (record === undefined) return tally.damaged();
      tally.understood();
      const from = provenanceOf(record, position);
      const facts = factsOf(record, memory, tally.unknown);
      return withProvenance(facts, from);
    },
  };
}

export interface OpencodeMemory {
  /** Reported parts that are still changing, and calls that wait for their result. */
  readonly told: Map<string, true>;
  readonly described: Map<string, string>;
}

const REMEMBERED = 4_096;

function factsOf(
  record: JsonObject,
  memory: OpencodeMemory,
  countUnknown: (type: string) => void,
): readonly ConversationFact[] {
  const { described } = memory;
  const session = objectIn(record.session);
  if (session !== undefined) return describedFacts(sessionParts(session), described);
  const message = objectIn(record.message);
  const id = textIn(record.id);
  if (message === undefined || id === undefined) {
    countUnknown(Object.keys(record)[0] ?? 'empty');
    return [];
  }
  const part = objectIn(record.part);
  const facts =
    part === undefined ? messageFacts(message, id, memory) : partFacts({ part, id, message, memory, countUnknown });
  return record.subAgent === undefined ? [...describedFacts(messageParts(message), described), ...facts] : facts;
}

const sessionParts = (session: JsonObject) => ({
  conversationId: textIn(session.id),
  folder: textIn(session.directory),
  agentVersion: textIn(session.version),
});

const messageParts = (message: JsonObject) => ({
  folder: textIn(objectIn(message.path)?.cwd),
  model: textIn(message.modelID),
});

function provenanceOf(record: JsonObject, { line }: LinePosition): Provenance {
  const part = objectIn(record.part);
  const created =
    numberIn(objectIn(part?.time ?? objectIn(part?.state)?.time)?.start) ??
    numberIn(objectIn(objectIn(record.message)?.time)?.created);
  const id = textIn(record.id);
  const subAgent = textIn(record.subAgent);
  return {
    line, // of the records that were read: a database has no lines
    ...(created === undefined ? {} : { at: new Date(created).toISOString() }),
    ...(id === undefined ? {} : { id }),
    ...(subAgent === undefined ? {} : { subAgent }),
  };
}

/** Many records repeat where the conversation takes place; only what changed is said again. */
function describedFacts(
  parts: Readonly<Record<string, string | undefined>>,
  known: Map<string, string>,
): readonly ConversationDescribed[] {
  const changed = Object.entries(parts).filter(
    (part): part is [string, string] => part[1] !== undefined && part[1] !== '' && known.get(part[0]) !== part[1],
  );
  for (const [name, value] of changed) known.set(name, value);
  return changed.length === 0 ? [] : [{ type: 'conversation.described', ...Object.fromEntries(changed) }];
}

import type {
  ConversationEvent,
  ConversationFact,
  JsonObject,
  LinePosition,
  Provenance,
  TranscriptParser,
} from '@devs/core';
import { boundedMap } from '../reading/bounded-map.js';
import { numberIn, objectIn, parseObject, textIn } from '../reading/json.js';
import { createTally } from '../reading/tally.js';
import { assistantFacts } from './assistant-facts.js';
import { describedFact } from './described-fact.js';
import { userFacts } from './user-facts.js';

/** Reads the lines of `~/.claude/projects/<folder>/<conversation>.jsonl`. */
export function createClaudeCodeParser(): TranscriptParser {
  const tally = createTally();
  const memory: ClaudeCodeMemory = {
    reportedMessages: boundedMap(REMEMBERED),
    createdTasks: boundedMap(REMEMBERED),
    described: new Map(),
  };
  return {
    tally: tally.read,
    parseLine(line, position) {
      if (line.trim() === '') return [];
      const record = parseObject(line);
      if (record === undefined) return tally.damaged();
      tally.understood();
      const facts = factsOf(record, memory, tally.unknown);
      const from = provenanceOf(record, position);
      return facts.map((fact): ConversationEvent => ({ ...fact, from }));
    },
  };
}

/** What later lines refer to: the last few hundred are enough, as such lines stand close together. */
export interface ClaudeCodeMemory {
  /** One message is written as several lines, each with the usage of the whole (H14). */
  readonly reportedMessages: Map<string, true>;
  /** Calls of `TaskCreate` that wait for the number of their task. */
  readonly createdTasks: Map<string, JsonObject>;
  readonly described: Map<string, string>;
}

const REMEMBERED = 512;

function factsOf(
  record: JsonObject,
  memory: ClaudeCodeMemory,
  countUnknown: (type: string) => void,
): readonly ConversationFact[] {
  const described = describedFact(record, memory.described);
  switch (record.type) {
    case 'user':
      return [...described, ...userFacts(record, memory)];
    case 'assistant':
      return [...described, ...assistantFacts(record, memory)];
    case 'system':
      return [...described, ...systemFacts(record)];
    default:
      if (!KNOWN_TO_SAY_NOTHING.has(String(record.type))) countUnknown(String(record.type));
      return [];
  }
}

/** The program's own book-keeping. */
const KNOWN_TO_SAY_NOTHING = new Set([
  'summary',
  'progress',
  'attachment',
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
  'last-prompt',
  'permission-mode',
  'mode',
]);

function systemFacts(record: JsonObject): readonly ConversationFact[] {
  if (record.subtype !== 'compact_boundary') return [];
  const metadata = objectIn(record.compactMetadata);
  const trigger = metadata?.trigger;
  const tokensBefore = numberIn(metadata?.preTokens);
  return [
    {
      type: 'context.compacted',
      trigger: trigger === 'auto' || trigger === 'manual' ? trigger : 'unknown',
      ...(tokensBefore === undefined ? {} : { tokensBefore }),
    },
  ];
}

function provenanceOf(record: JsonObject, { line, byteOffset }: LinePosition): Provenance {
  const at = textIn(record.timestamp);
  const id = textIn(record.uuid);
  const subAgent = record.isSidechain === true ? (textIn(record.agentId) ?? 'sub-agent') : undefined;
  return {
    line,
    byteOffset,
    ...(at === undefined ? {} : { at }),
    ...(id === undefined ? {} : { id }),
    ...(subAgent === undefined ? {} : { subAgent }),
  };
}

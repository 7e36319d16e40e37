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
import { entriesIn } from '../reading/remembered.js';
import { createTally } from '../reading/tally.js';
import { withProvenance } from '../reading/with-provenance.js';
import { compactionFacts } from './compaction-facts.js';
import { eventFacts } from './event-facts.js';
import { itemFacts } from './item-facts.js';
import { recordedUsage } from './usage.js';

/** Reads the lines of `$CODEX_HOME/sessions/<date>/rollout-<time>-<conversation>.jsonl`. */
export function createCodexParser(remembered?: unknown): TranscriptParser {
  const before = objectIn(remembered) ?? {};
  const tally = createTally(before.tally);
  const memory = createMemory(before);
  return {
    tally: tally.read,
    memory: () => ({
      ...memory,
      tally: tally.memory(),
      described: [...memory.described],
      commands: [...memory.commands],
      processes: [...memory.processes],
    }),
    parseLine(line, position) {
      if (line.trim() === '') return [];
      const record = parseObject(line);
      if (record === undefined) return tally.damaged();
      tally.understood();
      const payload = objectIn(record.payload) ?? {};
      const facts = factsOf(record, payload, { memory, position, countUnknown: tally.unknown });
      if (facts.length === 0) return [];
      const from = provenanceOf(record, payload, position);
      return withProvenance(facts, from);
    },
  };
}

/** What later lines refer to. */
export interface CodexMemory {
  /** Known facts about the conversation; `folder` is the base of relative paths. */
  readonly described: Map<string, string>;
  /** Commands whose result is still to come, by the id of the call. */
  readonly commands: Map<string, string>;
  /** Commands that kept running after their call was answered, by the agent's number for the process. */
  readonly processes: Map<string, string>;
  /** The newer, exact records of usage are there, so the older ones only repeat them. */
  hasUsageRecords?: boolean;
  /** The total of the last usage that was reported, to know a repetition. */
  lastTotal?: number;
  /** The model's answer to a request for a summary. */
  summary?: string;
}

export interface CodexLine {
  readonly memory: CodexMemory;
  readonly position: LinePosition;
  readonly countUnknown: (type: string) => void;
}

const REMEMBERED = 512;

function createMemory(before: JsonObject): CodexMemory {
  const lastTotal = numberIn(before.lastTotal);
  const summary = textIn(before.summary);
  return {
    described: new Map(entriesIn(before.described, textIn)),
    commands: boundedMap(REMEMBERED, entriesIn(before.commands, textIn)),
    processes: boundedMap(REMEMBERED, entriesIn(before.processes, textIn)),
    ...(before.hasUsageRecords === true ? { hasUsageRecords: true } : {}),
    ...(lastTotal === undefined ? {} : { lastTotal }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function factsOf(record: JsonObject, payload: JsonObject, line: CodexLine): readonly ConversationFact[] {
  switch (record.type) {
    case 'session_meta':
    case 'turn_context':
      return describedFacts(payload, line.memory.described);
    case 'response_item':
      return itemFacts(record, payload, line);
    case 'event_msg':
      return eventFacts(payload, line);
    case 'token_usage_record':
      return recordedUsage(payload, line);
    case 'compacted':
      return compactionFacts(payload, line.memory);
    default:
      if (!KNOWN_TO_SAY_NOTHING.has(String(record.type))) line.countUnknown(String(record.type));
      return [];
  }
}

/** The program's own book-keeping. */
const KNOWN_TO_SAY_NOTHING = new Set([
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
  'realtime_item',
]);

function provenanceOf(record: JsonObject, payload: JsonObject, { line, byteOffset }: LinePosition): Provenance {
  const at = textIn(record.timestamp);
  const id = textIn(payload.id);
  return { line, byteOffset, ...(at === undefined ? {} : { at }), ...(id === undefined ? {} : { id }) };
}

/** The first line and the start of every turn say where the conversation takes place; only what changed is said again. */
function describedFacts(payload: JsonObject, known: Map<string, string>): readonly ConversationDescribed[] {
  const changed = {
    // A fork begins with a copy of the old conversation, whose own first line must not rename this one.
    ...(known.has('conversationId') ? {} : changedPart('conversationId', textIn(payload.id), known)),
    ...changedPart('folder', textIn(payload.cwd), known),
    ...changedPart('branch', textIn(objectIn(payload.git)?.branch), known),
    ...changedPart('agentVersion', textIn(payload.cli_version), known),
    ...changedPart('model', textIn(payload.model), known),
  };
  return Object.keys(changed).length === 0 ? [] : [{ type: 'conversation.described', ...changed }];
}

function changedPart(name: string, value: string | undefined, known: Map<string, string>): Record<string, string> {
  if (value === undefined || value === '' || known.get(name) === value) return {};
  known.set(name, value);
  return { [name]: value };
}

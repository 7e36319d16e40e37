import type { ConversationDescribed, ConversationFact, JsonObject, LinePosition, Provenance } from '@devs/core';
import { boundedMap } from '../reading/bounded-map.js';
import { numberIn, objectIn, textIn } from '../reading/json.js';
import type { LineParser } from '../reading/line-parser.js';
import { entriesIn } from '../reading/remembered.js';
import { createTally } from '../reading/tally.js';
import { withProvenance } from '../reading/with-provenance.js';
import { assistantFacts } from './assistant-facts.js';
import { holdBackResult } from './hold-back-result.js';
import { KNOWN_TO_SAY_NOTHING, leadingType, parseRecord } from './parse-record.js';
import { heldAnswerFacts, userFacts } from './user-facts.js';

/** Reads the lines of `~/.claude/projects/<folder>/<conversation>.jsonl`. */
export function createClaudeCodeParser(remembered?: unknown): LineParser {
  const before = objectIn(remembered) ?? {};
  const tally = createTally(before.tally);
  const memory: ClaudeCodeMemory = {
    reportedMessages: boundedMap(REMEMBERED, entriesIn(before.reportedMessages, numberIn)),
    createdTasks: boundedMap(REMEMBERED, entriesIn(before.createdTasks, objectIn)),
    ownCalls: boundedMap(REMEMBERED, entriesIn(before.ownCalls, textIn)),
    described: new Map(entriesIn(before.described, textIn)),
    ownAgent: textIn(before.ownAgent),
  };
  return {
    tally: tally.read,
    memory: () => ({
      tally: tally.memory(),
      reportedMessages: [...memory.reportedMessages],
      createdTasks: [...memory.createdTasks],
      ownCalls: [...memory.ownCalls],
      described: [...memory.described],
      ...(memory.ownAgent === undefined ? {} : { ownAgent: memory.ownAgent }),
    }),
    parseLine,
    parseBytes(line, position) {
      const head = line.toString('latin1', 0, HEAD_BYTES);
      const type = leadingType(head) ?? 'user';
      if (KNOWN_TO_SAY_NOTHING.has(type) && line.at(-1) === CLOSING_BRACE) {
        tally.understood();
        return [];
      }
      const held = type === 'user' ? holdBackResult(line, head) : undefined;
      if (held === undefined) return parseLine(line.toString('utf8'), position);
      tally.understood();
      memory.ownAgent ??= ownAgentOf(held.record);
      const facts = after(describedFact(held.record, memory), heldAnswerFacts(held, memory));
      return withProvenance(facts, provenanceOf(held.record, position, memory));
    },
  };

  function parseLine(line: string, position: LinePosition) {
    const record = parseRecord(line);
    if (record === undefined) return line.trim() === '' ? [] : tally.damaged();
    tally.understood();
    memory.ownAgent ??= ownAgentOf(record);
    const facts = factsOf(record, memory, tally.unknown);
    return facts.length === 0 ? [] : withProvenance(facts, provenanceOf(record, position, memory));
  }
}

/** Enough for everything in front of the message. */
const HEAD_BYTES = 1_024;
const CLOSING_BRACE = 0x7d;

/** Data that later lines refer to: the last few hundred are enough, as such lines are close together. */
export interface ClaudeCodeMemory {
  /** A message is written as several lines, each with its usage so far (H14): the reported output tokens. */
  readonly reportedMessages: Map<string, number>;
  /** Calls of `TaskCreate` that wait for the number of their task. */
  readonly createdTasks: Map<string, JsonObject>;
  /** Pending calls of Claude Code's own tools: only those contain the user's words. */
  readonly ownCalls: Map<string, string>;
  readonly described: Map<string, string>;
  /** The owner of the transcript: the main agent, or a sub-agent with its own file. */
  ownAgent: string | undefined;
}

/** Known from the first line with a message. */
const ownAgentOf = (record: JsonObject): string | undefined =>
  record.type !== 'user' && record.type !== 'assistant'
    ? undefined
    : record.isSidechain === true
      ? (textIn(record.agentId) ?? SUB_AGENT)
      : MAIN_AGENT;

const MAIN_AGENT = 'main';
const SUB_AGENT = 'sub-agent';

const REMEMBERED = 512;

function factsOf(
  record: JsonObject,
  memory: ClaudeCodeMemory,
  countUnknown: (type: string) => void,
): readonly ConversationFact[] {
  switch (record.type) {
    case 'user':
      return after(describedFact(record, memory), userFacts(record, memory));
    case 'assistant':
      return after(describedFact(record, memory), assistantFacts(record, memory));
    case 'system':
      return after(describedFact(record, memory), systemFacts(record));
    default:
      if (!KNOWN_TO_SAY_NOTHING.has(String(record.type))) countUnknown(String(record.type));
      return [];
  }
}

/** Usually nothing has changed. */
const after = (described: readonly ConversationFact[], facts: readonly ConversationFact[]) =>
  described.length === 0 ? facts : [...described, ...facts];

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

function provenanceOf(
  record: JsonObject,
  { line, byteOffset }: LinePosition,
  { ownAgent }: Pick<ClaudeCodeMemory, 'ownAgent'>,
): Provenance {
  const from: { -readonly [part in keyof Provenance]: Provenance[part] } = { line, byteOffset };
  if (typeof record.timestamp === 'string') from.at = record.timestamp;
  if (typeof record.uuid === 'string') from.id = record.uuid;
  const agent = record.isSidechain === true ? (textIn(record.agentId) ?? SUB_AGENT) : MAIN_AGENT;
  if (agent !== MAIN_AGENT && agent !== ownAgent) from.subAgent = agent;
  return from;
}

/** Every line repeats where the conversation takes place; only what changed is said again. */
function describedFact(
  record: JsonObject,
  { described: known, ownAgent }: Pick<ClaudeCodeMemory, 'described' | 'ownAgent'>,
): readonly ConversationDescribed[] {
  if (record.isSidechain === true && record.agentId !== ownAgent) return [];
  const model = record.type === 'assistant' ? objectIn(record.message)?.model : undefined;
  let changed: Record<string, string> | undefined;
  const describe = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value === '' || known.get(name) === value) return;
    known.set(name, value);
    changed = { ...changed, [name]: value };
  };
  describe('conversationId', record.sessionId);
  describe('folder', record.cwd);
  describe('branch', record.gitBranch);
  describe('agentVersion', record.version);
  describe('model', model === '<synthetic>' ? undefined : model);
  return changed === undefined ? [] : [{ type: 'conversation.described', ...changed }];
}

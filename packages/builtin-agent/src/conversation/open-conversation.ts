import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { addToLedger, buildHandoff, type Clock, createLedger, estimateTokens, renderHandoff } from '@devs/core';
import { type BuiltinFact, type BuiltinRecord, builtinTranscript, createBuiltinParser } from '@devs/drivers';
import {
  addFact,
  type ConversationState,
  EMPTY_CONVERSATION,
  summaryMessage,
  unanswered,
} from './conversation-state.js';

export interface ConversationPlace {
  readonly id: string;
  readonly folder: string;
  readonly user: { readonly home: string; readonly env: Readonly<Record<string, string | undefined>> };
  readonly clock: Clock;
}

/** One conversation, on disk and in memory. Both say the same at any moment. */
export interface Conversation {
  readonly id: string;
  readonly path: string;
  /** It did not exist before. */
  readonly isNew: boolean;
  readonly state: ConversationState;
  /** Written first, then true. Throws where it cannot be written. */
  append(fact: BuiltinFact): void;
  /** Replaces the messages with a summary from the records. */
  compact(trigger: 'auto' | 'manual', size: CompactionSize): void;
}

export interface CompactionSize {
  readonly window: number;
  /** Tokens sent with every call besides the messages. */
  readonly systemTokens: number;
}

/** Opens or continues a conversation: reads it from its first line, in constant memory. */
export async function openConversation({ id, folder, user, clock }: ConversationPlace): Promise<Conversation> {
  const path = builtinTranscript(user, folder, id);
  const ledger = createLedger();
  const parser = createBuiltinParser();
  let state = EMPTY_CONVERSATION;
  let line = 0;
  let byteOffset = 0;

  const take = (text: string, fact: BuiltinFact) => {
    line += 1;
    for (const event of parser.parseLine(text, { line, byteOffset })) addToLedger(ledger, event);
    byteOffset += Buffer.byteLength(text) + 1;
    state = addFact(state, fact);
  };
  const append = (fact: BuiltinFact) => {
    const { type, ...rest } = fact;
    const record = { at: new Date(clock.now()).toISOString(), type, ...rest } as BuiltinRecord;
    const text = JSON.stringify(record);
    appendFileSync(path, `${text}\n`, { mode: 0o600 });
    take(text, fact);
  };

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) {
    endLastLine(path);
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = parseRecord(text);
      if (record !== undefined) take(text, record);
    }
  }
  const isNew = line === 0;
  return {
    id,
    path,
    isNew,
    get state() {
      return state;
    },
    append,
    compact(trigger, { window, systemTokens }) {
      const tokens = Math.min(MAX_SUMMARY_TOKENS, Math.max(MIN_SUMMARY_TOKENS, Math.floor(window * SUMMARY_SHARE)));
      const summary = renderHandoff(buildHandoff(ledger, { transcript: path }), { tokens });
      const kept = [summaryMessage(summary), ...unanswered(state).map(({ text }) => text)];
      const tokensAfter = kept.reduce((sum, text) => sum + estimateTokens(text), systemTokens);
      append({ type: 'compaction', trigger, summary, tokensBefore: state.tokens, tokensAfter });
    },
  };
}

const SUMMARY_SHARE = 0.1;
const MIN_SUMMARY_TOKENS = 500;
const MAX_SUMMARY_TOKENS = 8_000;

/** A line that was cut off by a crash is damaged; the next one must not become a part of it. */
function endLastLine(path: string): void {
  const file = openSync(path, 'r');
  let isCut = false;
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    isCut = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
  } finally {
    closeSync(file);
  }
  if (isCut) appendFileSync(path, '\n');
}

/** The agent wrote the file itself: an incomplete line was left by a crash. */
function parseRecord(text: string): BuiltinRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<BuiltinRecord> | null;
    return typeof record?.type === 'string' ? (record as BuiltinRecord) : undefined;
  } catch {
    return undefined;
  }
}

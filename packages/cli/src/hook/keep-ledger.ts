import { statSync } from 'node:fs';
import type { JsonObject, JsonValue } from '@devs/core';
import type { KeptReading, ReadLedger, SourceReading, TranscriptSource } from '@devs/drivers';
import { fileNameOf } from './conversation-record.js';
import type { HookAgent } from './hook-agent.js';
import type { HookFiles } from './hook-files.js';
import { endAfter, isLateForAll, planReading } from './plan-reading.js';
import { type Prepared, preparedName } from './prepared.js';

interface LedgerWanted {
  readonly conversation: string;
  readonly transcript: string;
  readonly openChars: number;
  /** Left out where the document is not asked for. */
  readonly handoffChars?: number;
}

export type KeepLedger = (wanted: LedgerWanted) => Promise<Prepared>;

type Making = typeof import('./making.js');

interface KeepLedgerDeps {
  readonly agent: HookAgent;
  readonly files: HookFiles;
  readonly loadMaking: () => Promise<Making>;
  /** A transcript of any length may be given: once this is over, only its end is read, for a shorter document. */
  readonly signal: AbortSignal;
  /** Since the hook began: where the agent waits, a late hook reads less. */
  readonly elapsedMs: () => number;
  /** The agent waits: work that only makes later hooks quicker is left to a background hook. */
  readonly isWaitedFor: boolean;
  readonly onProblem: (error: unknown) => void;
}

/**
 * Brings what is known of a transcript up to date and keeps it for the next hook, with the texts made of it. What was
 * kept is read on from; where it is damaged, or of another file, everything is read anew.
 */
export const createKeepLedger =
  ({ agent, files, loadMaking, ...time }: KeepLedgerDeps): KeepLedger =>
  async ({ conversation, transcript, openChars, handoffChars }) => {
    const making = await loadMaking();
    const { TRANSCRIPT_SOURCES, readLedger } = making;
    const source = TRANSCRIPT_SOURCES.find((candidate) => candidate.agent === agent.source);
    if (source === undefined) throw new Error(`no transcripts of ${agent.source} can be read`);
    const keptName = `${fileNameOf(agent, conversation)}.ledger.json`;
    const kept = asKept(files.read(keptName));
    const found = statSync(transcript);
    if (!found.isFile()) throw new Error(`${transcript} is no file`); // a pipe would keep us waiting
    const bytes = found.size;
    const counting = countCalls(source, kept?.calls ?? 0);
    const { reading, isWhole } = await readInTime(
      { source: counting.source, path: transcript, bytes, kept },
      { readLedger, ...time },
    );

    const { conversationId } = reading.ledger.place;
    const document = making.buildHandoff(reading.ledger, {
      transcript,
      ...(conversationId !== undefined && { resumeCommand: source.resumeCommand(conversationId) }),
    });
    const open = making.openMatters(document, reading.ledger);
    const prepared: Prepared = {
      version: 1,
      bytes,
      calls: counting.calls(),
      ...(open !== undefined && { open: sectionsOf(making.renderHandoff(open, { chars: openChars })) }),
      // A transcript that nothing was learned from is none of this agent.
      ...(handoffChars !== undefined &&
        reading.ledger.step > 0 && { handoff: { chars: handoffChars, text: render(handoffChars) } }),
    };
    if (!isWhole) return prepared; // the next hook makes the whole of it
    try {
      const isFarBehind = kept === undefined || reading.startedOver || bytes - kept.bytes > READ_AGAIN_BYTES;
      if (isFarBehind && !time.isWaitedFor)
        files.write(keptName, { calls: prepared.calls, bytes, reading: redactKept(reading.kept, making) });
      files.write(preparedName(agent, conversation), prepared);
    } catch (error) {
      time.onProblem(error); // it was still made, and is of use now
    }
    return prepared;

    function render(chars: number): string {
      const summary = making.currentSummary(reading.ledger);
      return making.renderHandoff(summary === undefined ? document : making.withoutKnown(document, summary), { chars });
    }
  };

interface Wanted {
  readonly source: TranscriptSource;
  readonly path: string;
  readonly bytes: number;
  readonly kept: Kept | undefined;
}

type Reading = Pick<typeof import('@devs/drivers'), 'readLedger'> &
  Pick<KeepLedgerDeps, 'signal' | 'elapsedMs' | 'isWaitedFor' | 'onProblem'>;

/** The whole transcript where there is time for it, else its end. */
async function readInTime(
  { source, path, bytes, kept }: Wanted,
  { readLedger, signal, elapsedMs, isWaitedFor, onProblem }: Reading,
): Promise<{ readonly reading: ReadLedger; readonly isWhole: boolean }> {
  const unreadBytes = bytes - (kept?.bytes ?? 0);
  const plan = planReading({ isWaitedFor, bytes, unreadBytes, elapsedMs: elapsedMs() });
  if (plan.kind === 'end') return { reading: await readEndInTime(plan.lastBytes), isWhole: false };
  const limit = plan.kind === 'in-time' ? signal : undefined;
  const whole = await readLedger({ source, path, kept: kept?.reading, signal: limit }).catch(unlessOver);
  const isTooLate = isWaitedFor && plan.kind === 'in-time' && isLateForAll(elapsedMs());
  if (whole !== undefined && !isTooLate) return { reading: whole, isWhole: true };
  return { reading: await readEndInTime(endAfter(elapsedMs())), isWhole: false };

  async function readEndInTime(most: number): Promise<ReadLedger> {
    const end = await readEnd(most);
    const shorter = endAfter(elapsedMs());
    return isWaitedFor && shorter < most ? readEnd(shorter) : end;
  }

  function unlessOver(error: unknown): undefined {
    if (!signal.aborted) throw error;
    onProblem(error);
  }

  /** A single line may be longer than that: then more. */
  async function readEnd(most: number): Promise<ReadLedger> {
    const end = await readLedger({ source, path, lastBytes: most });
    return end.ledger.step > 0 || most >= bytes ? end : readEnd(8 * most);
  }
}

/** Without its title: a part of a handoff must not be taken for a conversation's own handoff. */
const sectionsOf = (text: string): string => text.slice(Math.max(0, text.indexOf('\n## ') + 1));

/** So much is read again sooner than everything that is known is looked through for secrets and written down. */
const READ_AGAIN_BYTES = 256 * 1024;

interface Kept {
  readonly calls: number;
  /** How much of the transcript it knows. */
  readonly bytes: number;
  readonly reading: JsonValue;
}

function asKept(value: unknown): Kept | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { calls, bytes, reading } = value as Partial<Kept>;
  const isWhole = typeof calls === 'number' && typeof bytes === 'number' && reading !== undefined;
  return isWhole ? { calls, bytes, reading } : undefined;
}

/** The agent's own calls of its model, each counted once; those of sub-agents fill other contexts. */
function countCalls(source: TranscriptSource, before: number) {
  let calls = before;
  return {
    calls: () => calls,
    source: {
      ...source,
      read: (reading: SourceReading) => {
        if (reading.kept === undefined) calls = 0; // what was kept was of no use
        return source.read({
          ...reading,
          onStartOver: () => {
            calls = 0;
            reading.onStartOver?.();
          },
          onEvents: (events) => {
            calls += events.filter(({ type, from }) => type === 'usage.reported' && from.subAgent === undefined).length;
            reading.onEvents(events);
          },
        });
      },
    },
  };
}

interface Redaction {
  readonly redactText: (text: string) => string;
  readonly redactJson: <T extends JsonObject>(value: T) => T;
}

/**
 * A reading without secrets, to be written down. Where the file was read up to is no secret, and must stay as it is.
 *
 * Lists of names are texts with a name on each line: they are redacted line by line, as the lines are counted. In what
 * the reader remembers, lines of bare ids are left alone: calls are told apart by them, and would be counted again.
 */
function redactKept(kept: KeptReading, { redactText, redactJson }: Redaction): KeptReading {
  const byLine = (text: string) => text.split('\n').map(redactText).join('\n');
  const { ledger, place } = kept;
  return {
    ...kept,
    ledger: isObject(ledger)
      ? { ...redactJson(without(ledger, 'mentions')), mentions: mapTexts(ledger.mentions ?? null, byLine) }
      : ledger,
    place: isObject(place)
      ? { ...place, memory: mapTexts(place.memory ?? null, (text) => (isIds(text) ? text : redactText(text))) }
      : place,
  };
}

const isIds = (text: string): boolean => text.split('\n').every((line) => /^[\w.:-]*$/.test(line));

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key, part]) => key !== name && part !== undefined));

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((part: JsonValue) => mapTexts(part, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, mapTexts(part, change)]])),
  );
}

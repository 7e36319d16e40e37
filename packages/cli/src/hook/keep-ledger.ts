import { statSync } from 'node:fs';
import type { JsonValue } from '@devs/core';
import type { SourceReading, TranscriptSource } from '@devs/drivers';
import { fileNameOf } from './conversation-record.js';
import type { HookAgent } from './hook-agent.js';
import type { HookFiles } from './hook-files.js';
import { type Prepared, preparedName } from './prepared.js';
import { redactKept } from './redact-kept.js';

interface LedgerWanted {
  readonly conversation: string;
  readonly transcript: string;
  readonly openChars: number;
  /** Left out where the document is not asked for. */
  readonly handoffChars?: number;
}

export type KeepLedger = (wanted: LedgerWanted) => Promise<Prepared>;

type Making = Pick<typeof import('@devs/core'), 'buildHandoff' | 'renderHandoff' | 'redactJson' | 'redactText'> &
  Pick<typeof import('@devs/core/hooks/texts'), 'currentSummary' | 'openMatters' | 'withoutKnown'>;

interface KeepLedgerDeps {
  readonly agent: HookAgent;
  readonly files: HookFiles;
  readonly loadReading: () => Promise<Pick<typeof import('@devs/drivers'), 'TRANSCRIPT_SOURCES' | 'readLedger'>>;
  readonly loadMaking: () => Promise<Making>;
  /** A transcript of any length may be given: once this is over, only its end is read, for a shorter document. */
  readonly signal: AbortSignal;
  /** The agent waits: work that only makes later hooks quicker is left to a background hook. */
  readonly isWaitedFor: boolean;
  readonly onProblem: (error: unknown) => void;
}

/**
 * Brings what is known of a transcript up to date and keeps it for the next hook, with the texts made of it. What was
 * kept is read on from; where it is damaged, or of another file, everything is read anew.
 */
export const createKeepLedger =
  ({ agent, files, loadReading, loadMaking, signal, isWaitedFor, onProblem }: KeepLedgerDeps): KeepLedger =>
  async ({ conversation, transcript, openChars, handoffChars }) => {
    const [{ TRANSCRIPT_SOURCES, readLedger }, making] = await Promise.all([loadReading(), loadMaking()]);
    const source = TRANSCRIPT_SOURCES.find((candidate) => candidate.agent === agent.source);
    if (source === undefined) throw new Error(`no transcripts of ${agent.source} can be read`);
    const keptName = `${fileNameOf(agent, conversation)}.ledger.json`;
    const kept = asKept(files.read(keptName));
    const found = statSync(transcript);
    if (!found.isFile()) throw new Error(`${transcript} is no file`); // a pipe would keep us waiting
    const bytes = found.size;
    const counting = countCalls(source, kept?.calls ?? 0);
    const whole = await readLedger({
      source: counting.source,
      path: transcript,
      kept: kept?.reading,
      signal,
    }).catch(unlessOver);
    const reading = whole ?? (await readLedger({ source, path: transcript, lastBytes: LAST_BYTES }));

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
    if (whole === undefined) return prepared; // the next hook makes the whole of it
    try {
      const isFarBehind = kept === undefined || reading.startedOver || bytes - kept.bytes > READ_AGAIN_BYTES;
      if (isFarBehind && !isWaitedFor)
        files.write(keptName, { calls: prepared.calls, bytes, reading: redactKept(reading.kept, making) });
      files.write(preparedName(agent, conversation), prepared);
    } catch (error) {
      onProblem(error); // it was still made, and is of use now
    }
    return prepared;

    function unlessOver(error: unknown): undefined {
      if (!signal.aborted) throw error;
      onProblem(error);
    }

    function render(chars: number): string {
      const summary = making.currentSummary(reading.ledger);
      return making.renderHandoff(summary === undefined ? document : making.withoutKnown(document, summary), { chars });
    }
  };

/** What can be read in the time that is left; the agent's last steps and the newest request are in it. */
const LAST_BYTES = 1 << 20;

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

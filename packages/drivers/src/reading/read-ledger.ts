import type { JsonValue, TranscriptTally } from '@devs/core';
import { addToLedger, createLedger, type Ledger, packLedger, unpackLedger } from '@devs/core/ledger';
import { objectIn } from './json.js';
import type { TranscriptSource } from './transcript-source.js';

export interface LedgerReading {
  readonly source: TranscriptSource;
  readonly path: string;
  /** A `KeptReading` as it came from wherever it was kept; what is not one, or is of another file, is ignored. */
  readonly kept?: unknown;
  /** Only what is told within so many bytes before the end: quicker, and less. */
  readonly lastBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadLedger {
  readonly ledger: Ledger;
  /** For the next reading of the same transcript. Made when it is asked for. */
  readonly kept: KeptReading;
  readonly tally: TranscriptTally;
  readonly overlongLines: number;
  /** What was given as kept could not be gone on with: everything was read anew. */
  readonly startedOver: boolean;
}

/** A reading that another process can go on with. Plain data: it survives JSON. */
export type KeptReading = {
  readonly version: typeof VERSION;
  readonly agent: string;
  readonly path: string;
  /** Where the source stopped reading, and what it remembers. */
  readonly place: JsonValue;
  readonly ledger: JsonValue;
};

const VERSION = 1;

/**
 * The ledger of a transcript, from what an earlier reading kept and what was written since. The outcome is the same as
 * that of reading it whole.
 *
 * Rejects where the file cannot be read, never for what is in it.
 */
export async function readLedger({ source, path, kept, lastBytes, signal }: LedgerReading): Promise<ReadLedger> {
  const known = openKept(kept, source, path);
  let ledger = known?.ledger ?? createLedger();
  const result = await source.read({
    path,
    kept: known?.place,
    onStartOver: () => {
      ledger = createLedger();
    },
    onEvents: (events) => {
      for (const event of events) addToLedger(ledger, event);
    },
    lastBytes,
    signal,
  });
  return {
    ledger,
    get kept(): KeptReading {
      return { version: VERSION, agent: source.agent, path, place: result.kept, ledger: packLedger(ledger) };
    },
    tally: result.tally,
    overlongLines: result.overlongLines,
    startedOver: kept !== undefined && (known === undefined || result.startedOver),
  };
}

function openKept(kept: unknown, source: TranscriptSource, path: string) {
  const value = objectIn(kept);
  if (value?.version !== VERSION || value.agent !== source.agent || value.path !== path) return undefined;
  const ledger = unpackLedger(value.ledger);
  return ledger === undefined || value.place === undefined ? undefined : { ledger, place: value.place };
}

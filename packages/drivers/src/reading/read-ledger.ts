import type { JsonValue, TranscriptTally } from '@devs/core';
import { addToLedger, createLedger, type Ledger, packLedger, unpackLedger } from '@devs/core/ledger';
import { objectIn } from './json.js';
import type { TranscriptSource } from './transcript-source.js';

export interface LedgerReading {
  readonly source: TranscriptSource;
  readonly path: string;
  /** A `KeptReading` from storage; ignored if invalid or of another file. */
  readonly kept?: unknown;
  /** Reads only this many bytes before the end: quicker, and less. */
  readonly lastBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadLedger {
  readonly ledger: Ledger;
  /** For the next reading of the same transcript. Made when it is asked for. */
  readonly kept: KeptReading;
  readonly tally: TranscriptTally;
  readonly overlongLines: number;
  /** The kept reading was unusable: everything was read again. */
  readonly startedOver: boolean;
}

/** A reading that another process can continue. Plain data: it survives JSON. */
export type KeptReading = {
  readonly version: typeof VERSION;
  readonly agent: string;
  readonly path: string;
  /** Where the source stopped reading, and its memory. */
  readonly place: JsonValue;
  readonly ledger: JsonValue;
};

const VERSION = 1;

/**
 * The ledger of a transcript, from an earlier reading and the lines since. The result is the same as that of reading
 * it whole.
 *
 * Rejects if the file is unreadable, never because of its content.
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

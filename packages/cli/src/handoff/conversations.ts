import type { Ledger } from '@devs/core';

/** What was said and done with agents on this machine. */
export interface Conversations {
  /** The ledger of a transcript, or of the newest conversation in a folder. Rejects with a `CliError` that says why not. */
  readonly open: (wanted: WantedConversation) => Promise<OpenedConversation>;
}

export interface WantedConversation {
  readonly transcript?: string | undefined;
  readonly agent?: string | undefined;
  /** The working folder where it is left out. */
  readonly folder?: string | undefined;
}

export interface OpenedConversation {
  readonly path: string;
  readonly agent: string;
  readonly ledger: Ledger;
  readonly resumeCommand?: string;
  /** What could not be read, as sentences for the user. */
  readonly warnings: readonly string[];
}

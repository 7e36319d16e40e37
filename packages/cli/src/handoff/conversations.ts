import type { ConversationEvent, GitEvidence, HandoffDocument, Ledger, TranscriptTally } from '@devs/core';

/** What was said and done with agents on this machine. Every function rejects with a `CliError` that says what to do. */
export interface Conversations {
  /** The ledger of a transcript, or of the newest conversation in a folder. */
  readonly open: (wanted: WantedConversation) => Promise<OpenedConversation>;
  /** What else is known about the work of a conversation. */
  readonly look: (conversation: OpenedConversation, wanted: WantedConversation) => Promise<Surroundings>;
  /** Writes a handoff into the project, for the user alone. */
  readonly keep: (handoff: HandoffToKeep) => Promise<KeptHandoff>;
  /** Every event of a transcript, in order. */
  readonly read: (
    wanted: NamedTranscript,
    onEvents: (events: readonly ConversationEvent[]) => void,
  ) => Promise<ReadTranscript>;
  /** The folders in which the built-in agent and the hooks keep what was said in this project and in the work trees of its runs. */
  readonly kept: () => Promise<readonly string[]>;
  /** Removes such folders. */
  readonly forget: (folders: readonly string[]) => Promise<void>;
}

export interface WantedConversation {
  readonly transcript?: string | undefined;
  readonly agent?: string | undefined;
  /** Default: the current folder. */
  readonly folder?: string | undefined;
}

interface NamedTranscript {
  readonly transcript: string;
  readonly agent?: string | undefined;
}

export interface ReadTranscript {
  readonly path: string;
  readonly agent: string;
  readonly tally: TranscriptTally & { readonly overlongLines: number };
}

export interface OpenedConversation {
  readonly path: string;
  readonly agent: string;
  readonly ledger: Ledger;
  readonly resumeCommand?: string;
  /** What could not be read, as sentences for the user. */
  readonly warnings: readonly string[];
}

export interface Surroundings {
  /** The folder of the work, where it is on this machine. */
  readonly folder: string | undefined;
  readonly git?: GitEvidence;
  /** The handoff that the conversation began from, where it is still there. */
  readonly earlier?: HandoffDocument;
  readonly warnings: readonly string[];
}

export interface HandoffToKeep {
  readonly folder: string;
  readonly document: HandoffDocument;
  readonly text: string;
}

export interface KeptHandoff {
  /** Where the next conversation takes place. */
  readonly folder: string;
  /** From there. */
  readonly file: string;
}

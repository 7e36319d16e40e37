import type { ConversationEvent, TranscriptTally } from '@devs/core';
import type { ReadPosition, ReadResult } from './read-transcript.js';

/** How the conversations of one agent CLI are found and read. */
export interface TranscriptSource {
  /** As the user names the agent: `claude`, `codex`, … */
  readonly agent: string;
  /** The newest conversation that took place in a folder, or nothing where there was none. Never rejects for lack of one. */
  readonly find: (folder: string, user: UserPlace) => Promise<FoundConversation | undefined>;
  /** Rejects where the file cannot be read, never for what is in it. */
  readonly read: (reading: SourceReading) => Promise<ReadResult & { readonly tally: TranscriptTally }>;
  /** What a person types to open the conversation again. */
  readonly resumeCommand: (conversationId: string) => string;
}

export interface SourceReading {
  readonly path: string;
  readonly from?: ReadPosition;
  readonly onEvents: (events: readonly ConversationEvent[]) => void;
  readonly signal?: AbortSignal;
}

/** Where a user keeps things. */
export interface UserPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface FoundConversation {
  readonly path: string;
  readonly modifiedMs: number;
}

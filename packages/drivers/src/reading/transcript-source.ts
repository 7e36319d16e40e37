import type { ConversationEvent, JsonObject, JsonValue, TranscriptTally } from '@devs/core';

/** How the conversations of one agent CLI are found and read. */
export interface TranscriptSource {
  /** As the user names the agent: `claude`, `codex`, … */
  readonly agent: string;
  /** Whether the agent writes files that begin like this. */
  readonly isOwn: (start: TranscriptStart) => boolean;
  /** The conversations in these folders, newest first. Empty without any; never rejects for that. */
  readonly list: (wanted: WantedConversations, user: UserDirs) => Promise<readonly FoundConversation[]>;
  /** Rejects if the file is unreadable, never because of its content. */
  readonly read: (reading: SourceReading) => Promise<SourceResult>;
  /** The command that reopens the conversation; nothing where there is none. */
  readonly resumeCommand: (conversationId: string) => string | undefined;
}

interface TranscriptStart {
  readonly bytes: Buffer;
  /** The first lines that are JSON objects. */
  readonly records: readonly JsonObject[];
}

export interface SourceReading {
  readonly path: string;
  /** State of an earlier reading: only newer lines are reported. */
  readonly kept?: JsonValue | undefined;
  /** Called once, before any event, if the earlier state is useless: everything is reported again from the start. */
  readonly onStartOver?: () => void;
  readonly onEvents: (events: readonly ConversationEvent[]) => void;
  /** Only the whole lines within this many bytes before the end, counted from there; leaves the kept state alone. */
  readonly lastBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** No later reading continues from here: nothing need be kept for one. */
  readonly once?: boolean | undefined;
}

export interface SourceResult {
  /** Of the whole transcript, also where only its end was read. */
  readonly tally: TranscriptTally;
  /** Lines too long to be read: they are left out, and counted here. */
  readonly overlongLines: number;
  /** The kept state was of another file, or the file was cut or rewritten. */
  readonly startedOver: boolean;
  /** For the next reading; useless after a reading that was the only one. */
  readonly kept: JsonValue;
}

export interface WantedConversations {
  readonly folders: readonly string[];
  /** At most this many, the newest. Default: all. */
  readonly limit?: number;
}

/** Where a user keeps things. */
export interface UserDirs {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface FoundConversation {
  readonly path: string;
  readonly modifiedMs: number;
}

/** Of two that changed at the same moment, the order does not depend on the file system. */
export const newestFirst = (a: FoundConversation, b: FoundConversation): number =>
  b.modifiedMs - a.modifiedMs || a.path.localeCompare(b.path);

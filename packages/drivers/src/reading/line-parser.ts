import type { ConversationEvent, LinePosition, TranscriptParser } from '@devs/core';

/** A parser that may take a line as the file has it, where it can do so faster than to have it made into text first. */
export interface LineParser extends TranscriptParser {
  /** The bytes are lent for the call only. */
  readonly parseBytes?: (line: Buffer, position: LinePosition) => readonly ConversationEvent[];
}

import type { JsonValue } from '../ports/json.js';
import type { ConversationEvent } from './conversation-event.js';

/**
 * Turns the records of one agent's transcript into events, one line after the other. One folder of `@devs/drivers` each.
 *
 * Contract: never throws. A line that is not understood gives no events and is counted; it is the caller who cuts lines
 * and keeps a half-written last one. The parser remembers only what later lines need, in bounded memory.
 */
export interface TranscriptParser {
  parseLine(line: string, position: LinePosition): readonly ConversationEvent[];
  /** Counts so far. */
  tally(): TranscriptTally;
  /** Its whole state as a value: a parser created from it continues where this one stopped. */
  memory(): JsonValue;
}

export interface LinePosition {
  readonly line: number;
  readonly byteOffset: number;
}

export interface TranscriptTally {
  readonly lines: number;
  /** Lines that are no record at all: damaged, binary, not JSON. */
  readonly damagedLines: number;
  /** Lines of types that the reader does not know, by type. */
  readonly unknownTypes: Readonly<Record<string, number>>;
}

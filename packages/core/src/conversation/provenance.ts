/** Place in a transcript, so that a statement can be verified. */
export interface Provenance {
  /** Counted from 1. For a transcript that is not made of lines: the number of its record. */
  readonly line: number;
  /** Where the line begins in the file, where it is in a file. */
  readonly byteOffset?: number;
  /** When it was written, as the transcript says it (ISO 8601). */
  readonly at?: string;
  /** The agent's own name for the record: a uuid, a message id. */
  readonly id?: string;
  /** Name of the sub-agent's conversation, for its statements and actions. */
  readonly subAgent?: string;
}

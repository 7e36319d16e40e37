/** Where in a transcript something is said, so that whoever doubts it can look it up. */
export interface Provenance {
  /** Counted from 1. For a transcript that is not made of lines: the number of its record. */
  readonly line: number;
  /** Where the line begins in the file, where it is in a file. */
  readonly byteOffset?: number;
  /** When it was written, as the transcript says it (ISO 8601). */
  readonly at?: string;
  /** The agent's own name for the record: a uuid, a message id. */
  readonly id?: string;
  /** Set for what a sub-agent said or did: the name of its conversation. */
  readonly subAgent?: string;
}

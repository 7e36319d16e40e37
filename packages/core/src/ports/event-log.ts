import type { JsonObject } from './json.js';

export interface NewEvent {
  /** `noun.past-verb` */
  readonly type: string;
  readonly data: JsonObject;
}

export interface StoredEvent extends NewEvent {
  /** Position in the whole log: 1, 2, 3… without gaps. */
  readonly position: number;
  readonly stream: string;
  /** Version in its stream: 1, 2, 3… */
  readonly version: number;
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number;
}

export type Appended =
  | {
      readonly status: 'appended';
      readonly version: number;
      readonly position: number;
      /** As stored: a writer continues from them without reading them again. */
      readonly events: readonly StoredEvent[];
    }
  | { readonly status: 'conflict'; readonly version: number };

export interface ReadQuery {
  /** Only events behind this position. Default: 0. */
  readonly after?: number;
  /** At most this many. Default: 1,000. */
  readonly limit?: number;
  readonly stream?: string;
}

export interface FollowQuery {
  readonly after?: number;
  readonly stream?: string;
  readonly signal: AbortSignal;
}

/**
 * Everything that happened, in the order in which it was stored.
 *
 * Contract: appended events survive the end of the process and of the machine. Of two writers that expect the same
 * version of a stream, the first wins, and the second learns the current version. `follow` gives every event once and
 * in order, including those of other processes, and ends when its signal is aborted. Text that looks like a secret is
 * replaced before it is stored. Bad names and data other than JSON are refused with `StoreInputError`.
 */
export interface EventLog {
  append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<Appended>;
  read(query?: ReadQuery): Promise<readonly StoredEvent[]>;
  follow(query: FollowQuery): AsyncIterable<StoredEvent>;
  /** How many events the stream holds. */
  version(stream: string): Promise<number>;
}

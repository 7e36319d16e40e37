import type { Clock } from '../ports/clock.js';
import type { EventLog, FollowQuery, NewEvent, StoredEvent } from '../ports/event-log.js';
import type { StoreBackend } from '../ports/store-backend.js';
import { redactJson } from '../redaction/redact-json.js';
import {
  checkEvents,
  checkExpectedVersion,
  checkReadQuery,
  checkStream,
  checkWritableStream,
} from './validate-event.js';

const DEFAULT_LIMIT = 1_000;
const FOLLOW_BATCH = 500;

export interface StoreDeps {
  readonly backend: StoreBackend;
  readonly clock: Clock;
  /** A new id for each commit. */
  readonly newId: () => string;
  /**
   * Whether a holder of leases is known to be gone, such as an ended process of this machine. Default: always false.
   */
  readonly isGone?: (by: string) => boolean;
}

/** The event log over any backend: everything common to all of them. */
export function createEventLog({ backend, clock, newId }: StoreDeps): EventLog {
  return {
    async append(stream, expectedVersion, events) {
      checkWritableStream(stream);
      checkExpectedVersion(expectedVersion);
      checkEvents(events);
      const redacted = events.map(({ type, data }): NewEvent => ({ type, data: redactJson(data) }));
      const at = clock.now();
      const result = await backend.commit({
        id: newId(),
        at,
        streams: [{ stream, expectedVersion, events: redacted }],
        tasks: [],
      });
      if (!result.committed) return { status: 'conflict', version: result.version };
      const { position } = result;
      const before = position - events.length;
      return {
        status: 'appended',
        version: expectedVersion + events.length,
        position,
        events: redacted.map(({ type, data }, index) => ({
          position: before + index + 1,
          stream,
          version: expectedVersion + index + 1,
          at,
          type,
          data,
        })),
      };
    },

    async read({ after = 0, limit = DEFAULT_LIMIT, stream } = {}) {
      if (stream !== undefined) checkStream(stream);
      checkReadQuery({ after, limit });
      return backend.read({ after, limit, ...(stream !== undefined && { stream }) });
    },

    async version(stream) {
      checkStream(stream);
      return backend.version(stream);
    },

    follow: (query) => follow(backend, query),
  };
}

async function* follow(backend: StoreBackend, { after = 0, stream, signal }: FollowQuery): AsyncIterable<StoredEvent> {
  if (stream !== undefined) checkStream(stream);
  const only = stream === undefined ? {} : { stream };
  let position = after;
  while (!signal.aborted) {
    const events = await backend.read({ after: position, limit: FOLLOW_BATCH, ...only });
    for (const event of events) {
      if (signal.aborted) return;
      position = event.position;
      yield event;
    }
    if (events.length === 0) await backend.changed({ after: position, ...only }, signal);
  }
}

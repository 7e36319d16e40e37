import type { StoredEvent } from '../ports/event-log.js';
import type { StoreBackend } from '../ports/store-backend.js';

const BATCH = 1_000;

/** The events behind `after` and up to the position `upTo`, or to the end of the log as it is then. */
export async function* readUpTo(
  backend: StoreBackend,
  { after = 0, upTo = Number.POSITIVE_INFINITY }: { readonly after?: number; readonly upTo?: number | undefined },
): AsyncIterable<StoredEvent> {
  let last = after;
  while (last < upTo) {
    const events = await backend.read({ after: last, limit: BATCH });
    for (const event of events) {
      if (event.position > upTo) return;
      yield event;
    }
    if (events.length < BATCH) return;
    last = events.at(-1)?.position ?? last;
  }
}

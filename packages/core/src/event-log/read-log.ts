import { DamagedEventError } from '../errors/store-errors.js';
import type { EventLog, StoredEvent } from '../ports/event-log.js';

const BATCH = 1_000;

/** Every event behind `after`, in batches. */
export async function* readAll(
  log: Pick<EventLog, 'read'>,
  { after = 0, stream }: { readonly after?: number; readonly stream?: string | undefined } = {},
): AsyncIterable<StoredEvent> {
  let position = after;
  while (true) {
    const events = await log.read({ after: position, limit: BATCH, ...(stream !== undefined && { stream }) });
    yield* events;
    if (events.length < BATCH) return;
    position = events.at(-1)?.position ?? position;
  }
}

/** Every event of the log that can be read. `onDamaged` hears of each that cannot. */
export async function* readUndamaged(
  log: Pick<EventLog, 'read'>,
  onDamaged: (damaged: DamagedEventError) => void,
): AsyncIterable<StoredEvent> {
  let position = 0;
  let damaged: DamagedEventError | undefined;
  while (true) {
    // Positions have no gaps: up to the damaged one there are this many.
    const limit = damaged === undefined ? BATCH : damaged.position - 1 - position;
    let events: readonly StoredEvent[];
    try {
      events = await log.read({ after: position, limit });
    } catch (error) {
      if (!(error instanceof DamagedEventError) || damaged !== undefined) throw error;
      damaged = error;
      continue;
    }
    yield* events;
    if (damaged === undefined && events.length < BATCH) return;
    position = damaged?.position ?? events.at(-1)?.position ?? position;
    if (damaged !== undefined) onDamaged(damaged);
    damaged = undefined;
  }
}

/** The same as a list, for short histories such as that of one task. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The newest events, oldest of them first. The log is read forwards, so a stream's own are found by going through it. */
export async function readNewest(
  log: Pick<EventLog, 'read'>,
  { limit, stream, end }: { readonly limit: number; readonly stream?: string | undefined; readonly end: number },
): Promise<readonly StoredEvent[]> {
  if (stream === undefined) return limit === 0 ? [] : log.read({ after: Math.max(0, end - limit), limit });
  const newest: StoredEvent[] = [];
  for await (const event of readAll(log, { stream })) {
    if (event.position > end) break;
    newest.push(event);
    if (newest.length > 2 * limit + BATCH) newest.splice(0, newest.length - limit);
  }
  return limit === 0 ? [] : newest.slice(-limit);
}

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
  let limit = BATCH;
  while (true) {
    const events = await log.read({ after: position, limit }).catch(ifDamaged);
    if (!(events instanceof DamagedEventError)) {
      yield* events;
      if (events.length < limit) return;
      position = events.at(-1)?.position ?? position;
      limit = BATCH;
    } else if (limit > 1) {
      // No more of them than there are positions before it, and fewer where some were removed.
      limit = Math.min(Math.ceil(limit / 2), Math.max(1, events.position - 1 - position));
    } else {
      onDamaged(events);
      position = events.position;
      limit = BATCH;
    }
  }
}

function ifDamaged(error: unknown): DamagedEventError {
  if (error instanceof DamagedEventError) return error;
  throw error;
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
  if (stream === undefined) return limit === 0 ? [] : readLast(log, { limit, end });
  const newest: StoredEvent[] = [];
  for await (const event of readAll(log, { stream })) {
    if (event.position > end) break;
    newest.push(event);
    if (newest.length > 2 * limit + BATCH) newest.splice(0, newest.length - limit);
  }
  return limit === 0 ? [] : newest.slice(-limit);
}

/** Looks further back where events were removed. */
async function readLast(
  log: Pick<EventLog, 'read'>,
  { limit, end }: { readonly limit: number; readonly end: number },
): Promise<readonly StoredEvent[]> {
  for (let span = limit; ; span *= WIDER) {
    const after = Math.max(0, end - span);
    const found = await log.read({ after, limit: span });
    const upToEnd = found.filter(({ position }) => position <= end);
    if (upToEnd.length >= limit || after === 0) return upToEnd.slice(-limit);
  }
}

const WIDER = 8;

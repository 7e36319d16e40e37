import type { EventLog, StoredEvent } from '@devs/core';

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

/** The same as a list, for what is known to be short: the history of one task. */
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

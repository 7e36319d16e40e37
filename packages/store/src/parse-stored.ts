import { believed, DamagedEventError, type JsonObject, StoreUnavailableError, type TaskRecord } from '@devs/core';

/** The data of an event, as text. Throws `DamagedEventError` for what cannot be read. */
export function parseEventData(
  text: string,
  place: { readonly position: number; readonly stream: string },
): JsonObject {
  return parseObject(text, (cause) => new DamagedEventError(place, { cause }));
}

export const parseTaskRecord = (text: string): TaskRecord =>
  believed<TaskRecord>(
    parseObject(
      text,
      (cause) =>
        new StoreUnavailableError(
          'the record of a task is damaged. Make it again from the log: `devs debug export FILE --skip-damaged`, move the store away, and `devs debug import FILE`',
          { cause },
        ),
    ),
  );

/** Snapshots are rebuilt from the log, so a damaged snapshot counts as missing. */
export function parseSnapshotState(text: string): JsonObject | undefined {
  try {
    return parseObject(text, (cause) => cause);
  } catch {
    return undefined;
  }
}

function parseObject(text: string, damaged: (cause: Error) => Error): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would repeat stored content.
    throw damaged(new Error(`${text.length} characters that are not JSON`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw damaged(new Error('not a JSON object'));
  return value as JsonObject;
}

import { StoreInputError } from '../errors/store-errors.js';
import type { NewEvent } from '../ports/event-log.js';
import type { JsonObject, JsonValue } from '../ports/json.js';

const STREAM = /^[a-z][a-z-]*:[A-Za-z0-9][A-Za-z0-9._-]*$/;
const EVENT_TYPE = /^[a-z][a-z-]*\.[a-z][a-z-]*$/;
const MOST_NAME_CHARS = 200;
const MOST_EVENT_CHARS = 1_000_000;
const MOST_EVENTS = 1_000;

export function checkStream(stream: string): void {
  if (stream.length > MOST_NAME_CHARS || !STREAM.test(stream) || stream.includes('..')) {
    throw new StoreInputError(
      'stream',
      `"kind:id" with a kind of small letters and an id of letters, digits, ".", "_" and "-" (no ".."), up to ${MOST_NAME_CHARS} characters; e.g. "task:fix-login"`,
    );
  }
}

export function checkEvents(events: readonly NewEvent[]): void {
  if (events.length === 0 || events.length > MOST_EVENTS) {
    throw new StoreInputError('events', `1 to ${MOST_EVENTS} at once`);
  }
  for (const { type, data } of events) {
    if (!EVENT_TYPE.test(type) || type.length > MOST_NAME_CHARS) {
      throw new StoreInputError('event type', 'noun and past verb in small letters, e.g. "task.completed"');
    }
    if (!isJson(data) || Array.isArray(data))
      throw new StoreInputError(`data of ${type}`, 'an object of plain JSON values');
    if (JSON.stringify(data).length > MOST_EVENT_CHARS) {
      throw new StoreInputError(`data of ${type}`, `up to ${MOST_EVENT_CHARS} characters of JSON`);
    }
  }
}

export function checkExpectedVersion(version: number): void {
  if (!Number.isSafeInteger(version) || version < 0) {
    throw new StoreInputError('expected version', 'a whole number from 0, which is a stream without events');
  }
}

function isJson(value: unknown): value is JsonValue | JsonObject {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object') return false;
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}

import { StoreInputError } from '../errors/store-errors.js';
import type { NewEvent } from '../ports/event-log.js';
import { redactText } from '../redaction/redact-text.js';

const STREAM = /^[a-z][a-z-]*:[A-Za-z0-9][A-Za-z0-9._-]*$/;
const EVENT_TYPE = /^[a-z][a-z-]*\.[a-z][a-z-]*$/;
const MAX_NAME_CHARS = 200;
const MAX_EVENT_CHARS = 1_000_000;
const MAX_EVENTS = 1_000;
const MAX_DEPTH = 200;
/** No standalone secret format is shorter. */
const MIN_SECRET_LENGTH = 16;

export function checkStream(stream: string): void {
  if (typeof stream !== 'string' || stream.length > MAX_NAME_CHARS || !STREAM.test(stream) || stream.includes('..')) {
    throw new StoreInputError(
      'stream',
      `"kind:id" with a kind of small letters and an id of letters, digits, ".", "_" and "-" (no ".."), up to ${MAX_NAME_CHARS} characters; e.g. "task:fix-login"`,
    );
  }
}

/** The rule for streams, for a name that is about to be stored: it must not be a secret. */
export function checkStoredName(name: string): void {
  checkStream(name);
  if (name.length >= MIN_SECRET_LENGTH && redactText(name) !== name)
    throw new StoreInputError('stream', 'a name that is no secret; this one looks like a token');
}

/** What may be appended to by anyone. The streams of tasks belong to the queue, whose records follow them. */
export function checkWritableStream(stream: string): void {
  checkStoredName(stream);
  if (stream.startsWith('task:'))
    throw new StoreInputError('stream', 'any but those of tasks, which the task queue writes');
}

export function checkReadQuery({ after, limit }: { readonly after: number; readonly limit: number }): void {
  if (!Number.isSafeInteger(after) || after < 0)
    throw new StoreInputError('after', 'a position: a whole number from 0');
  if (!Number.isSafeInteger(limit) || limit < 0) throw new StoreInputError('limit', 'a whole number from 0');
}

export function checkEvents(events: readonly NewEvent[]): void {
  if (events.length === 0 || events.length > MAX_EVENTS) {
    throw new StoreInputError('events', `1 to ${MAX_EVENTS} at once`);
  }
  for (const { type, data } of events) {
    if (!EVENT_TYPE.test(type) || type.length > MAX_NAME_CHARS) {
      throw new StoreInputError('event type', 'noun and past verb in small letters, e.g. "task.completed"');
    }
    if (typeof data !== 'object' || data === null || Array.isArray(data)) throw notJson(type);
    if (jsonChars(data, type, 0) > MAX_EVENT_CHARS) {
      throw new StoreInputError(`data of ${type}`, `up to about ${MAX_EVENT_CHARS} characters of JSON`);
    }
  }
}

export function checkExpectedVersion(version: number): void {
  if (!Number.isSafeInteger(version) || version < 0) {
    throw new StoreInputError('expected version', 'a whole number from 0, which is a stream without events');
  }
}

const notJson = (type: string) => new StoreInputError(`data of ${type}`, 'an object of plain JSON values');

/** Approximate length of the value as JSON, in one walk that also rejects non-JSON. Cheaper than serializing it. */
function jsonChars(value: unknown, type: string, depth: number): number {
  if (depth > MAX_DEPTH) throw new StoreInputError(`data of ${type}`, `at most ${MAX_DEPTH} levels deep`);
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'boolean':
      return 5;
    case 'number':
      if (!Number.isFinite(value)) throw notJson(type);
      return 8;
    case 'object': {
      if (value === null) return 4;
      let chars = 2;
      if (Array.isArray(value)) {
        for (const item of value) chars += jsonChars(item, type, depth + 1) + 1;
        return chars;
      }
      if (Object.getPrototypeOf(value) !== Object.prototype) throw notJson(type);
      for (const [key, item] of Object.entries(value)) chars += key.length + 4 + jsonChars(item, type, depth + 1);
      return chars;
    }
    default:
      throw notJson(type);
  }
}

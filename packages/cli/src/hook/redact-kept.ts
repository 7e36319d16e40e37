import type { JsonObject, JsonValue } from '@devs/core';
import type { KeptReading } from '@devs/drivers';

interface Redaction {
  readonly redactText: (text: string) => string;
  readonly redactJson: <T extends JsonObject>(value: T) => T;
}

/**
 * A reading without secrets, to be written down. Where the file was read up to is no secret, and must stay as it is.
 *
 * Lists of names are texts with a name on each line: they are redacted line by line, as the lines are counted. In what
 * the reader remembers, lines of bare ids are left alone: calls are told apart by them, and would be counted again.
 */
export function redactKept(kept: KeptReading, { redactText, redactJson }: Redaction): KeptReading {
  const byLine = (text: string) => text.split('\n').map(redactText).join('\n');
  const { ledger, place } = kept;
  return {
    ...kept,
    ledger: isObject(ledger)
      ? { ...redactJson(without(ledger, 'mentions')), mentions: mapTexts(ledger.mentions ?? null, byLine) }
      : ledger,
    place: isObject(place)
      ? { ...place, memory: mapTexts(place.memory ?? null, (text) => (isIds(text) ? text : redactText(text))) }
      : place,
  };
}

const isIds = (text: string): boolean => text.split('\n').every((line) => /^[\w.:-]*$/.test(line));

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key, part]) => key !== name && part !== undefined));

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((part: JsonValue) => mapTexts(part, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, mapTexts(part, change)]])),
  );
}

import type { Body } from './api-format.js';

/** Reads requests of clients: unexpected values are skipped, never an error. */

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectsOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The text of a content: a string, or a list of parts, some with a text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

export const joinTexts = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

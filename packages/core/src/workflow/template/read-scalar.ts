import { isMap, isScalar, isSeq } from 'yaml';
import { didYouMean } from '../../yaml/did-you-mean.js';
import { excerpt } from '../../yaml/excerpt.js';
import type { Content } from './alias-resolver.js';
import { type Choice, type Count, ID_PATTERN } from './template-keys.js';

/** Reports a problem with a value; the message follows its name. */
export type Complain = (message: string, hint?: string) => void;

const ID = new RegExp(ID_PATTERN, 'u');

export function readText(content: Content, complain: Complain): string | undefined {
  const text = readString(content, complain);
  if (text === undefined) return undefined;
  if (text.trim() === '') complain('must not be empty');
  else if (/\p{Cs}/u.test(text)) complain('must not hold half of a character', 'remove the escape of a lone surrogate');
  else return text;
  return undefined;
}

export function readId(content: Content, complain: Complain): string | undefined {
  const text = readText(content, complain);
  if (text !== undefined) checkId(text, complain);
  return text;
}

export function checkId(id: string, complain: Complain): void {
  if (ID.test(id)) return;
  const reserved = /^\w+$/.test(id) && id.length <= 100;
  if (reserved) complain('is a reserved word', 'choose another');
  else complain(`must be 1 to 100 letters, digits, '_', '-' or '.', got: ${excerpt(id)}`);
}

export function readChoice(content: Content, { values }: Choice, complain: Complain): string | undefined {
  const text = readString(content, complain, `write ${values.join(' or ')}`);
  if (text === undefined || values.includes(text)) return text;
  complain(`must be ${oneOf(values)}, got: ${excerpt(text)}`, didYouMean(text, values));
  return undefined;
}

export function readFlag(content: Content, complain: Complain): boolean | undefined {
  const value = isScalar(content) ? content.value : undefined;
  if (typeof value === 'boolean') return value;
  const meant = typeof value === 'string' ? FLAGS.get(value.toLowerCase()) : undefined;
  complain(`must be true or false, got: ${describe(content)}`, meant === undefined ? undefined : `write ${meant}`);
  return undefined;
}

const FLAGS: ReadonlyMap<string, string> = new Map([
  ['true', 'true without quotes'],
  ['false', 'false without quotes'],
  ['yes', 'true'],
  ['on', 'true'],
  ['no', 'false'],
  ['off', 'false'],
]);

export function readCount(content: Content, { least, most }: Count, complain: Complain): number | undefined {
  const value = isScalar(content) ? content.value : undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  const quoted = typeof value === 'string' && /^\d+$/.test(value);
  complain(
    `must be a whole number from ${least} to ${most}, got: ${describe(content)}`,
    quoted ? 'write it without quotes' : undefined,
  );
  return undefined;
}

function readString(content: Content, complain: Complain, hint = hintForString(content)): string | undefined {
  if (isScalar(content) && typeof content.value === 'string') return content.value;
  complain('must be a string', hint);
  return undefined;
}

function hintForString(content: Content): string {
  if (!isScalar(content)) return `it is ${describe(content)} here`;
  if (content.value === null && content.source === '') return 'it is empty here';
  return `put it in quotes: "${excerpt(content.source)}"`;
}

/** Not the value itself where that could be long. */
export function describe(content: Content): string {
  if (isMap(content)) return 'a mapping';
  if (isSeq(content)) return 'a list';
  return content.source === '' ? 'nothing' : excerpt(content.source);
}

const oneOf = (values: readonly string[]) => {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop();
  return quoted.length === 1 ? `either ${quoted[0]} or ${last}` : `one of ${quoted.join(', ')} or ${last}`;
};

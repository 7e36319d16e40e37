import type { z } from 'zod';
import { isDigit } from './json/characters.js';
import { duplicateKey } from './json/duplicate-key.js';
import { scanJson } from './json/scan-json.js';
import { skipString } from './json/skip-string.js';
import { SAOPEnvelopeSchema, type SaopEnvelope } from './saop-envelope.js';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SAFE_DIGITS = 15;

/**
 * The first number in a JSON text that `JSON.parse` would change: an integer too long to keep, or an infinite one.
 * Fractions are rounded everywhere, and accepted.
 */
function inexactNumber(json: string): string | undefined {
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) {
      index = skipString(json, index + 1) - 1;
    } else if (isDigit(code) || code === MINUS) {
      NUMBER.lastIndex = index;
      const token = NUMBER.exec(json)?.[0] ?? json.charAt(index);
      if (isInexact(token)) return token;
      index += token.length - 1;
    }
  }
  return undefined;
}

function isInexact(token: string): boolean {
  if (token.length <= SAFE_DIGITS && !/[eE]/.test(token)) return false;
  if (!Number.isFinite(Number(token))) return true;
  return /^-?\d+$/.test(token) && String(Number(token)) !== token;
}

const QUOTE = 0x22;
const MINUS = 0x2d;

export interface EnvelopeProblem {
  /** Which field, e.g. `thought.reasoning`; empty where the text as a whole is at fault. */
  readonly path: string;
  readonly message: string;
}

export type ParsedEnvelope =
  | { readonly valid: true; readonly envelope: SaopEnvelope }
  | { readonly valid: false; readonly problems: readonly EnvelopeProblem[] };

const MAX_NAME_CHARS = 200;

/**
 * Parses an envelope from a model's answer or from a parsed value; otherwise returns every problem, by field.
 *
 * From an answer it takes the single JSON value, out of a Markdown fence or after a sentence. Text after the value is
 * a problem: it may take back what the envelope says.
 */
// REQ: TAS-035
export function parseSaopEnvelope(input: unknown): ParsedEnvelope {
  if (typeof input !== 'string') return checkEnvelope(input);
  const scan = scanJson(input);
  switch (scan.status) {
    case 'absent':
      return invalid(scan.blank ? 'the answer is empty' : 'the answer holds no JSON object');
    case 'malformed':
      return invalid(`not valid JSON at ${place(input, scan.at)}`);
    case 'cut':
      return invalid(`the JSON ends unfinished at ${place(input, input.length)}`);
    case 'complete': {
      if (scan.after === 'text') return invalid(`text follows the JSON at ${place(input, scan.end)}`);
      const json = input.slice(scan.start, scan.end);
      const repeated = duplicateKey(json);
      if (repeated !== undefined) return invalid(`the key "${brief(repeated)}" stands twice in one object`);
      const inexact = inexactNumber(json);
      if (inexact !== undefined)
        return invalid(`the number ${brief(inexact)} cannot be kept exactly: write it as a string`);
      return checkEnvelope(JSON.parse(json)); // cannot throw: the scanner has read every character of it
    }
  }
}

/** `thought.reasoning: expected string, received number` */
export const describeProblem = ({ path, message }: EnvelopeProblem) => (path === '' ? message : `${path}: ${message}`);

function checkEnvelope(value: unknown): ParsedEnvelope {
  const checked = SAOPEnvelopeSchema.safeParse(value);
  // The value itself, not zod's copy of it: a copy leaves out keys such as `__proto__`.
  if (checked.success) return { valid: true, envelope: value as SaopEnvelope };
  return { valid: false, problems: checked.error.issues.map(problemOf) };
}

function problemOf(issue: z.core.$ZodIssue): EnvelopeProblem {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return { path, message: `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${brief(issue.keys.join(', '))}` };
  }
  return { path, message: issue.message.replace(/^Invalid input: /, '') };
}

/** Names are the model's own text, and may be of any length. */
const brief = (names: string) =>
  names.length <= MAX_NAME_CHARS ? names : `${names.slice(0, MAX_NAME_CHARS)}… (${names.length} characters)`;

function place(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}

const invalid = (message: string): ParsedEnvelope => ({ valid: false, problems: [{ path: '', message }] });

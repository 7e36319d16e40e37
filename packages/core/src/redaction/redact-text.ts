import { assignedKind } from './assigned-kind.js';
import { judgeKey } from './credential-key.js';
import { findAssignments } from './find-assignments.js';
import { findCommandPasswords } from './find-command-passwords.js';
import { findFormats } from './find-formats.js';
import { findPrivateKeys } from './find-private-keys.js';
import { findRandomRuns } from './find-random-runs.js';
import { findUrlPasswords } from './find-url-passwords.js';
import { isPassphrase } from './is-passphrase.js';
import { matchAt } from './match-at.js';
import { mayHoldSecret } from './may-hold-secret.js';
import { outsidePlaceholders, placeholderFor } from './placeholder.js';
import type { SecretSpan } from './secret-span.js';

const FLAG = /--([A-Za-z][\w-]{1,40})[ \t]{1,4}(?:(["'])([^"'\n]{1,512})\2|([^\s"'`;|&()<>-][^\s"'`;|&()<>]{0,512}))/y;

/** Secrets behind flags of a command line: `--password hunter2`. With `=` they are assignments. */
function findFlags(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (let at = text.indexOf('--'); at !== -1; at = text.indexOf('--', at)) {
    const match = matchAt(FLAG, text, at);
    if (match === undefined) {
      while (text[at] === '-') at++;
      continue;
    }
    const [whole, name = '', quote = '', quoted, bare = ''] = match;
    const value = quoted ?? bare;
    const end = at + whole.length - quote.length;
    const kind = assignedKind(judgeKey(name), value, { isBare: quoted === undefined && !isPassphrase(value) });
    if (kind !== undefined) found.push({ start: end - value.length, end, kind });
    at = kind === undefined ? at + 2 : end;
  }
  return found;
}

/**
 * The text with every secret replaced by `[redacted:<kind>]`, and with everything else as it was.
 *
 * Never throws, takes time in proportion to the text, and finds nothing in what it returned.
 */
export function redactText(text: string): string {
  return text.length < MIN_TEXT_LENGTH || !mayHoldSecret(text) ? text : redactFound(text);
}

/** The same, by all searches one after the other. */
export function redactFound(text: string): string {
  let redacted = text;
  // What stood next to a secret now stands next to a bracket, where a word may begin: so look once more.
  for (let secrets = findSecrets(text); secrets.length > 0; secrets = findSecrets(redacted)) {
    redacted = replaceSpans(redacted, secrets);
  }
  return redacted;
}

/** In the order of how much they know about what they find: of two finds in one place, the first gives the kind. */
const FINDERS = [
  findPrivateKeys,
  findFormats,
  findUrlPasswords,
  findAssignments,
  findFlags,
  findCommandPasswords,
  findRandomRuns,
];

/** Where the secrets of a text are, in order. */
export function findSecrets(text: string): SecretSpan[] {
  if (text.length < MIN_TEXT_LENGTH || !MAY_HOLD_A_SECRET.test(text)) return [];
  const spans = FINDERS.flatMap((find, rank) => find(text).map((span) => ({ ...span, rank })));
  return outsidePlaceholders(text, joinOverlaps(spans.sort((a, b) => a.start - b.start || a.rank - b.rank)));
}

const MIN_TEXT_LENGTH = 8;

/**
 * What every secret has about it: a digit, a sign that assigns or joins, two dashes, a flag or the word that takes a password, or sheer
 * length. Plain sentences have none of these, and are the greater part of what is stored.
 */
const MAY_HOLD_A_SECRET = /[\d=:@_]|--| -[ap]|\S{16}|\bpassword\s/;

/** One span for all that overlap. It has the kind of the one with the lowest rank. */
function joinOverlaps(sorted: readonly (SecretSpan & { rank: number })[]): SecretSpan[] {
  const joined: (SecretSpan & { rank: number })[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last === undefined || last.end <= span.start) {
      joined.push(span);
      continue;
    }
    const { kind, rank } = span.rank < last.rank ? span : last;
    joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind, rank };
  }
  return joined;
}

function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, kind } of spans) {
    parts.push(text.slice(from, start), placeholderFor(kind));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

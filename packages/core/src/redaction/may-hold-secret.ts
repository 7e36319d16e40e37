import type { CredentialKey } from './credential-key.js';
import { assignedAt } from './find-assignments.js';
import { findCommandPasswords } from './find-command-passwords.js';
import { formatAt } from './find-formats.js';
import { mayHoldRandomRun } from './find-random-runs.js';
import { urlPasswordAt } from './find-url-passwords.js';
import { mayNameSecret, TELLING_LETTERS } from './may-name-secret.js';
import { SECRET_FORMATS, type SecretFormat } from './secret-formats.js';

/**
 * Whether any search for secrets could find something: a “no” is certain, and nearly all texts hold none. Expressions go from
 * sign to sign: they are quick from the start, and most processes that ask read only a few texts.
 */
export function mayHoldSecret(text: string): boolean {
  return (
    holdsFormat(text) ||
    holdsAssignment(text) ||
    holdsUrlPassword(text) ||
    mayHoldFlagOrBlock(text) ||
    findCommandPasswords(text).length > 0 ||
    mayHoldRandomRun(text)
  );
}

function holdsFormat(text: string): boolean {
  for (let at = nextOf(FORMAT, text, 0); at !== -1; at = nextOf(FORMAT, text, at + 1)) {
    if (formatAt(text, at) !== undefined) return true;
  }
  return false;
}

/** What was read of one assignment is not read again for the next. */
function holdsAssignment(text: string): boolean {
  const keys = new Map<string, CredentialKey>();
  let end = 0;
  ASSIGNMENT.lastIndex = 0;
  while (ASSIGNMENT.test(text)) {
    const at = ASSIGNMENT.lastIndex - 1;
    const assigned = at < end ? undefined : assignedAt(text, at, keys);
    if (assigned === undefined) continue;
    if (assigned.secrets.length > 0) return true;
    end = assigned.end;
  }
  return false;
}

function holdsUrlPassword(text: string): boolean {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    if (urlPasswordAt(text, at) !== undefined) return true;
  }
  return false;
}

function mayHoldFlagOrBlock(text: string): boolean {
  for (let at = nextOf(FLAG_OR_BLOCK, text, 0); at !== -1; at = nextOf(FLAG_OR_BLOCK, text, at + 1)) {
    if (text.startsWith('BEGIN ', at + 2) || mayNameSecret(text, at + 2, FLAG_OR_BLOCK.lastIndex)) return true;
  }
  return false;
}

/** Where the next match begins, or -1; `lastIndex` is where it ends. */
function nextOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

/** Two or three letters say so little that the rest of the pattern is asked for at once. */
const SHORT_START = 3;

const beginningOf = ({ starts, pattern }: SecretFormat): readonly string[] => [
  ...starts.filter((start) => start.length > SHORT_START).map((start) => start.replace(/[^\w ]/g, '\\$&')),
  ...(starts.some((start) => start.length <= SHORT_START) ? [pattern.source] : []),
];

const FORMAT = new RegExp(SECRET_FORMATS.flatMap(beginningOf).join('|'), 'g');

/** A key with letters that name secrets, up to its separator. As long as `find-assignments.ts` takes keys for keys. */
const ASSIGNMENT = new RegExp(
  `(?:${TELLING_LETTERS.join('|')})[\\w$.-]{0,64}[\\\\"'\`\\]?!]{0,6}[ \\t]{0,4}[:=>]`,
  'gi',
);

/** What stands behind two dashes: `BEGIN …`, or the name of a flag that may take a secret. */
const FLAG_OR_BLOCK = /--(?:BEGIN |[A-Za-z][\w-]{1,40}(?=[ \t]))/g;

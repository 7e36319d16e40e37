import type { CredentialKey } from './credential-key.js';
import { assignedAt } from './find-assignments.js';
import { findCommandPasswords, nextCommandWithPassword } from './find-command-passwords.js';
import { formatAt } from './find-formats.js';
import { nextRandomRun } from './find-random-runs.js';
import { urlPasswordAt } from './find-url-passwords.js';
import { mayNameSecret, TELLING_LETTERS } from './may-name-secret.js';
import { SECRET_FORMATS } from './secret-formats.js';

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
    nextRandomRun(text, 0) !== -1
  );
}

/**
 * Which of many short texts may hold a secret, by their places in the list. One search through all of them is quicker than one
 * for each. Where one of them names a secret it is only said that it may hold one: of its value, the rest may be in no text.
 */
export function thoseThatMayHoldSecrets(texts: readonly string[]): ReadonlySet<number> {
  const joined = texts.join(BETWEEN);
  const starts: number[] = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.length + BETWEEN.length;
  }
  const found = new Set<number>();
  for (const nextSign of SIGNS) {
    let nth = 0;
    for (let at = nextSign(joined, 0); at !== -1; ) {
      while (nth + 1 < starts.length && (starts[nth + 1] as number) <= at) nth++;
      found.add(nth);
      // Enough is known of this one; what began in it may not hide what the next begins with.
      const next = starts[nth + 1];
      at = next === undefined ? -1 : nextSign(joined, next - 1);
    }
  }
  return found;
}

/** Neither a word nor an address continues behind it. */
const BETWEEN = '\n\n';

/** Where the next sign of a secret is, or -1. */
const SIGNS: readonly ((text: string, from: number) => number)[] = [
  (text, from) => nextOf(FORMAT, text, from),
  (text, from) => nextOf(ASSIGNMENT, text, from),
  (text, from) => nextAmong(text, from, nextAddress, (at) => urlPasswordAt(text, at) !== undefined),
  (text, from) => nextAmong(text, from, nextFlagOrBlock, (at) => isTellingFlagOrBlock(text, at)),
  nextCommandWithPassword,
  nextRandomRun,
];

function nextAmong(
  text: string,
  from: number,
  next: (text: string, from: number) => number,
  isSign: (at: number) => boolean,
): number {
  for (let at = next(text, from); at !== -1; at = next(text, at + 1)) if (isSign(at)) return at;
  return -1;
}

const nextAddress = (text: string, from: number): number => text.indexOf('://', from);
const nextFlagOrBlock = (text: string, from: number): number => nextOf(FLAG_OR_BLOCK, text, from);

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

const holdsUrlPassword = (text: string): boolean =>
  nextAmong(text, 0, nextAddress, (at) => urlPasswordAt(text, at) !== undefined) !== -1;

const mayHoldFlagOrBlock = (text: string): boolean =>
  nextAmong(text, 0, nextFlagOrBlock, (at) => isTellingFlagOrBlock(text, at)) !== -1;

/** That was found last: the expression knows where it ends. */
const isTellingFlagOrBlock = (text: string, at: number): boolean =>
  text.startsWith('BEGIN ', at + 2) || mayNameSecret(text, at + 2, FLAG_OR_BLOCK.lastIndex);

/** Where the next match begins, or -1; `lastIndex` is where it ends. */
function nextOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

/** Two or three letters say so little that the rest of the pattern is asked for at once. */
const SHORT_START = 3;

const LONG_STARTS = SECRET_FORMATS.flatMap(({ starts }) => starts.filter((start) => start.length > SHORT_START));
const SHORT_FORMATS = SECRET_FORMATS.filter(({ starts }) => starts.some((start) => start.length <= SHORT_START));

/** The plain texts first, as they are looked for together where nothing else stands between them. */
const FORMAT = new RegExp(
  [
    ...LONG_STARTS.map((start) => start.replace(/[^\w ]/g, '\\$&')),
    ...SHORT_FORMATS.map(({ pattern }) => pattern.source),
  ].join('|'),
  'g',
);

/** A key with letters that name secrets, up to its separator. As long as `find-assignments.ts` takes keys for keys. */
const ASSIGNMENT = new RegExp(
  `(?:${TELLING_LETTERS.join('|')})[\\w$.-]{0,64}[\\\\"'\`\\]?!]{0,6}[ \\t]{0,4}[:=>]`,
  'gi',
);

/** What stands behind two dashes: `BEGIN …`, or the name of a flag that may take a secret. */
const FLAG_OR_BLOCK = /--(?:BEGIN |[A-Za-z][\w-]{1,40}(?=[ \t]))/g;

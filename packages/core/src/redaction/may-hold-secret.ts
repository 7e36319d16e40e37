import type { CredentialKey } from './credential-key.js';
import { assignedAt } from './find-assignments.js';
import { findCommandPasswords } from './find-command-passwords.js';
import { ASCII, formatAt, IS_BEGINNING, mayGoOn } from './find-formats.js';
import { mayHoldRandomRun } from './find-random-runs.js';
import { urlPasswordAt } from './find-url-passwords.js';
import { mayNameSecret } from './may-name-secret.js';

/**
 * Whether any search for secrets could find something: a “no” is certain. One walk over the text for all of them, as nearly
 * all texts hold no secret and every walk of its own costs as much again.
 */
export function mayHoldSecret(text: string): boolean {
  const { length } = text;
  let assignments: ReturnType<typeof createAssignments> | undefined;
  let isProgramNamed = false;
  let before = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const here = code < 128 ? code : 0;
    const pair = (before << 7) | here;
    before = here;
    const signs = SIGNS[pair] as number;
    if (signs === 0) continue;
    if ((signs & BEGINS_FORMAT) !== 0 && isFormatAt(text, at - 1, pair)) return true;
    if ((signs & SEPARATES) !== 0) {
      assignments ??= createAssignments(text);
      if (assignments.isSecretAt(at) || isUrlPasswordAt(text, at)) return true;
    }
    if ((signs & DASHES) !== 0 && mayBeFlagOrBlock(text, at + 1)) return true;
    if ((signs & IN_PROGRAM) !== 0) isProgramNamed = true;
  }
  return (isProgramNamed && findCommandPasswords(text).length > 0) || mayHoldRandomRun(text);
}

const isFormatAt = (text: string, at: number, pair: number): boolean =>
  mayGoOn(pair, text.charCodeAt(at + 2)) && formatAt(text, at, pair) !== undefined;

const isUrlPasswordAt = (text: string, at: number): boolean =>
  text.startsWith('://', at) && urlPasswordAt(text, at) !== undefined;

/** What was read of one assignment is not read again for the next. */
function createAssignments(text: string) {
  const keys = new Map<string, CredentialKey>();
  let end = 0;
  return {
    isSecretAt(at: number): boolean {
      if (at < end) return false;
      const assigned = assignedAt(text, at, keys);
      if (assigned === undefined) return false;
      end = assigned.end;
      return assigned.secrets.length > 0;
    },
  };
}

/** What a pair of characters may be a sign of. What is beyond ASCII counts as the character 0. */
const SEPARATES = 1;
const BEGINS_FORMAT = 2;
const DASHES = 4;
const IN_PROGRAM = 8;

/** In the names of the programs that take passwords in short flags, the two letters that are rarest elsewhere. */
const PAIRS_IN_PROGRAMS = new Set(['s-', 'sq', 'db', 'rl']);

const SIGNS = Uint8Array.from({ length: ASCII * ASCII }, (_, pair) => {
  const code = pair % ASCII;
  const characters = String.fromCharCode(pair >> 7, code);
  return (
    (/[:=>]$/.test(characters) ? SEPARATES : 0) |
    (IS_BEGINNING[pair] === 1 ? BEGINS_FORMAT : 0) |
    (characters === '--' ? DASHES : 0) |
    (PAIRS_IN_PROGRAMS.has(characters) ? IN_PROGRAM : 0)
  );
});

/** What stands behind two dashes: `BEGIN …`, or the name of a flag that may take a secret. */
function mayBeFlagOrBlock(text: string, start: number): boolean {
  if (text.startsWith('BEGIN ', start)) return true;
  FLAG.lastIndex = start;
  const [name = ''] = FLAG.exec(text) ?? [];
  return mayNameSecret(text, start, start + name.length);
}

const FLAG = /[A-Za-z][\w-]{1,40}(?=[ \t])/y;

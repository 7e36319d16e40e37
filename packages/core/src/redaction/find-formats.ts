import { characterSet } from './character-set.js';
import { isPlaceholder } from './is-placeholder.js';
import { matchAt } from './match-at.js';
import { runEnd } from './run-end.js';
import { READ_AT_ONCE, SECRET_FORMATS, type SecretFormat } from './secret-formats.js';
import type { SecretSpan } from './secret-span.js';

/** What a text may hold in front of a word although it ends with a letter or digit: `\n`, `\u001b[31m`, `%3D`. */
const WRITTEN_OUT = /\\[nrtbfv]$|\\u[0-9A-Fa-f]{4}$|\\x[0-9A-Fa-f]{2}$|\[[\d;]{0,12}m$|%[0-9A-Fa-f]{2}$/;
const MAX_WRITTEN_OUT_LENGTH = 14;

/** Whether a word can begin here: nothing that belongs to words stands before it. */
function standsAlone(text: string, at: number): boolean {
  if (at === 0 || !isWordCharacter(text.charCodeAt(at - 1))) return true;
  return mayBeWrittenOut(text, at) && WRITTEN_OUT.test(text.slice(Math.max(0, at - MAX_WRITTEN_OUT_LENGTH), at));
}

const isWordCharacter = characterSet(/[\w-]/);

const mayBeWrittenOut = (text: string, at: number) =>
  text[at - 1] === 'm' ||
  text[at - 3] === '%' ||
  text[at - 2] === '\\' ||
  text[at - 4] === '\\' ||
  text[at - 6] === '\\';

/** Secrets that begin with something only they begin with. */
export function findFormats(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (let at = 0; at < text.length - 1; at++) {
    const span = formatAt(text, at);
    if (span === undefined) continue;
    found.push(span);
    at = Math.max(at, span.end - 1);
  }
  return found;
}

/** The secret at this place. */
export function formatAt(text: string, at: number): SecretSpan | undefined {
  const candidates = CANDIDATES.get(text.charCodeAt(at) * ASCII + text.charCodeAt(at + 1));
  return candidates === undefined ? undefined : firstMatch(text, at, candidates);
}

interface Candidate {
  readonly start: string;
  readonly format: SecretFormat;
}

function firstMatch(text: string, at: number, candidates: readonly Candidate[]): SecretSpan | undefined {
  for (const { start, format } of candidates) {
    if (!text.startsWith(start, at) || (format.wholeWord && !standsAlone(text, at))) continue;
    const lead = format.lead?.exec(text.slice(Math.max(0, at - MAX_LEAD_LENGTH), at));
    if (lead === null) continue;
    const match = matchAt(format.pattern, text, at);
    if (match === undefined) continue;
    const span = spanOf(match, at - (lead?.[0].length ?? 0), format.kind);
    if (match[1] === undefined || !isPlaceholder(match[1])) return span;
  }
  return undefined;
}

const MAX_LEAD_LENGTH = 32;
const isTokenCharacter = characterSet(/[\w+/=%.~-]/);

/** The first group, which is the last thing in the match that reads so, or all of it. */
function spanOf(match: RegExpExecArray, start: number, kind: string): SecretSpan {
  const [whole, secret] = match;
  const from = secret === undefined ? start : match.index + whole.lastIndexOf(secret);
  const end = secret === undefined ? match.index + whole.length : from + secret.length;
  return { start: from, end: end - from < READ_AT_ONCE ? end : runEnd(match.input, end, isTokenCharacter), kind };
}

/** A pair of characters is known by `first * 128 + second`. */
const ASCII = 128;

/** What can begin with a pair. */
const CANDIDATES = candidatesByPair();

function candidatesByPair(): ReadonlyMap<number, readonly Candidate[]> {
  const table = new Map<number, Candidate[]>();
  for (const format of SECRET_FORMATS) {
    for (const start of format.starts) {
      for (const pair of pairsOf(start)) {
        const known = table.get(pair);
        if (known === undefined) table.set(pair, [{ start, format }]);
        else known.push({ start, format });
      }
    }
  }
  return table;
}

/** A prefix of a single letter can continue in any way. */
function pairsOf(start: string): number[] {
  const first = start.charCodeAt(0) * ASCII;
  return start.length > 1
    ? [first + start.charCodeAt(1)]
    : Array.from({ length: ASCII }, (_, second) => first + second);
}

import { characterSet } from './character-set.js';
import { isPlaceholder } from './is-placeholder.js';
import { matchAt } from './match-at.js';
import { runEnd } from './run-end.js';
import { READ_AT_ONCE, SECRET_FORMATS, type SecretFormat } from './secret-formats.js';
import type { SecretSpan } from './secret-span.js';
import { standsAlone } from './stands-alone.js';

/** Secrets that begin with something only they begin with. */
export function findFormats(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  let before = text.charCodeAt(0);
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const pair = before * ASCII + code;
    const begins = before < ASCII && code < ASCII && IS_BEGINNING[pair] === 1;
    before = code;
    if (!begins) continue;
    const span = formatAt(text, at - 1, pair);
    if (span === undefined) continue;
    found.push(span);
    at = span.end;
    before = text.charCodeAt(at);
  }
  return found;
}

/** The secret at this place, whose first two characters make this pair. */
export const formatAt = (text: string, at: number, pair: number): SecretSpan | undefined =>
  firstMatch(text, at, CANDIDATES[pair] ?? []);

interface Candidate {
  readonly start: string;
  readonly format: SecretFormat;
}

function firstMatch(text: string, at: number, candidates: readonly Candidate[]): SecretSpan | undefined {
  for (const { start, format } of candidates) {
    if (!text.startsWith(start, at) || (format.wholeWord && !standsAlone(text, at))) continue;
    const lead = format.lead?.exec(text.slice(Math.max(0, at - LONGEST_LEAD), at));
    if (lead === null) continue;
    const match = matchAt(format.pattern, text, at);
    if (match === undefined) continue;
    const span = spanOf(match, at - (lead?.[0].length ?? 0), format.kind);
    if (match[1] === undefined || !isPlaceholder(match[1])) return span;
  }
  return undefined;
}

const LONGEST_LEAD = 32;
const isTokenCharacter = characterSet(/[\w+/=%.~-]/);

/** The first group, which is the last thing in the match that reads so, or all of it. */
function spanOf(match: RegExpExecArray, start: number, kind: string): SecretSpan {
  const [whole, secret] = match;
  const from = secret === undefined ? start : match.index + whole.lastIndexOf(secret);
  const end = secret === undefined ? match.index + whole.length : from + secret.length;
  return { start: from, end: end - from < READ_AT_ONCE ? end : runEnd(match.input, end, isTokenCharacter), kind };
}

/** A pair of characters is known by `first * 128 + second`. */
export const ASCII = 128;

/** What can begin with a pair. */
const CANDIDATES = candidatesByPair();
/** The same as a table of bytes, which the processor keeps at hand. */
export const IS_BEGINNING = Uint8Array.from(CANDIDATES, (candidates) => Number(candidates !== undefined));

/** Whether any format that begins with a pair has this for its third character; most words that begin so go on otherwise. */
export function mayGoOn(pair: number, third: number): boolean {
  return THIRDS[pair]?.[third] === 1;
}

/** At the third character. Nothing where none begins with the pair. */
const THIRDS = Array.from(CANDIDATES, (candidates) =>
  candidates === undefined ? undefined : thirdsOf(candidates.map(({ start }) => start)),
);

function thirdsOf(starts: readonly string[]): Uint8Array {
  const isAny = starts.some((start) => start.length < 3);
  return Uint8Array.from({ length: ASCII }, (_, code) =>
    Number(isAny || starts.some((start) => start.charCodeAt(2) === code)),
  );
}

function candidatesByPair(): readonly (readonly Candidate[] | undefined)[] {
  const table = new Array<Candidate[] | undefined>(ASCII * ASCII).fill(undefined);
  for (const format of SECRET_FORMATS) {
    for (const start of format.starts) {
      for (const pair of pairsOf(start)) table[pair] = [...(table[pair] ?? []), { start, format }];
    }
  }
  return table;
}

/** A beginning of a single letter can go on in any way. */
function pairsOf(start: string): number[] {
  const first = start.charCodeAt(0) * ASCII;
  return start.length > 1
    ? [first + start.charCodeAt(1)]
    : Array.from({ length: ASCII }, (_, second) => first + second);
}

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
    const span = firstMatch(text, at - 1, CANDIDATES[pair] ?? []);
    if (span === undefined) continue;
    found.push(span);
    at = span.end;
    before = text.charCodeAt(at);
  }
  return found;
}

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

const ASCII = 128;

/** What can begin with two characters, at `first * 128 + second`. */
const CANDIDATES = candidatesByPair();
/** The same as a table of bytes, which the processor keeps at hand. */
const IS_BEGINNING = Uint8Array.from(CANDIDATES, (candidates) => Number(candidates !== undefined));

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

import { holdsLineBreak, isProof } from './json/is-proof.js';
import { JsonValueScanner } from './json/json-value-scanner.js';
import type { PartialCompletion } from './partial-completion-detector.js';

/**
 * The text shown to the model, and the text received after it: the proof of whether the model really continued from
 * there.
 */
export interface ResumePoint {
  readonly prefix: string;
  readonly received: string;
}

/** A shorter string is rewritten from its quote, as models do best. */
const LONG_STRING_CHARS = 400;
/** Inside a long string: minimum length of the received text held back as proof. */
const PROOF_CHARS = 12;
/** How much is held back at most, where the text is repetitive; less than a long string has. */
const MAX_PROOF_CHARS = 384;
/** How far back to look for the end of a word, where a continuation is most natural. */
const WORD_SEARCH_CHARS = 40;
/** A longer run of repeated elements is not asked for again. */
const MAX_RUN_CHARS = 4_000;
/** How much further back the next try begins when a completion could be read in several ways. */
const STEP_BACK_CHARS = 80;
/** Maximum distance to move back if the held-back text occurs earlier. */
const MAX_STEP_BACK_CHARS = 2_000;

/**
 * Where to take up a cut-off answer: at the last complete token, or, inside a long string, a few words before the cut.
 * `arrived` is the answer itself: a number or a literal at its end is no token yet, but it is proof.
 */
export function resumePoint(cut: PartialCompletion, arrived = ''): ResumePoint {
  const { lastValidToken, resumablePrefix } = cut;
  if (resumablePrefix.length - lastValidToken.length > LONG_STRING_CHARS) {
    return pointAt(resumablePrefix, proofStart(resumablePrefix), 0);
  }
  const { prefix, received } = split(resumablePrefix, lastValidToken.length);
  return { prefix, received: received + begunToken(cut, arrived) };
}

/**
 * Where to continue after a completion that was cut off again. The model has already been shown `shown` characters and
 * is not asked the same again: if one answer is too short for a string, the next begins further inside it. `undefined`
 * if there is too little new text for that: inside a string, a continuation without proof looks like chatter.
 */
export function nextResumePoint(cut: PartialCompletion, shown: number, arrived = ''): ResumePoint | undefined {
  const text = cut.resumablePrefix;
  const begun = begunToken(cut, arrived);
  const near = Math.max(0, text.length - PROOF_CHARS);
  const points = [resumePoint(cut, arrived), pointAt(text, near, 0), split(text, boundaryBefore(text, near))];
  const isInString = cut.cutIn === 'string' || cut.cutIn === 'key';
  if (!isInString) points.push({ prefix: text, received: begun });
  return points.find(({ prefix }) => prefix.length > shown);
}

/**
 * An earlier point, which holds back more proof. For a run of equal elements it is before the run: `0, 0, 0` continued
 * looks like `0, 0, 0` repeated.
 */
export function earlierResumePoint({ prefix, received }: ResumePoint): ResumePoint {
  const least = Math.max(STEP_BACK_CHARS, repeatedTailLength(prefix));
  let point = pointAt(prefix + received, Math.max(1, prefix.length - least));
  for (let back = least * 2; back <= MAX_STEP_BACK_CHARS && back < prefix.length; back *= 2) {
    if (isProof(point.received, point.prefix)) break;
    point = pointAt(prefix + received, prefix.length - back);
  }
  return point;
}

/** Where the proof begins: further back if the last words occur earlier, or say nothing about the next line. */
function proofStart(text: string): number {
  const hasLines = holdsLineBreak(text.slice(-MAX_PROOF_CHARS));
  for (let length = PROOF_CHARS; ; length *= 2) {
    const start = text.length - length;
    const proof = text.slice(start);
    if (length >= MAX_PROOF_CHARS) return start;
    if ((!hasLines || holdsLineBreak(proof)) && isProof(proof, text.slice(0, start))) return start;
  }
}

/** The received part of a number or literal at the end of the text. */
const begunToken = ({ cutIn }: PartialCompletion, arrived: string): string =>
  cutIn === 'number' || cutIn === 'literal' ? (/[\w.+-]+$/.exec(arrived.slice(-400))?.[0] ?? '') : '';

/** The last token before `index`, or the end of a word where that token is further away than `far`. */
function pointAt(text: string, index: number, far = LONG_STRING_CHARS): ResumePoint {
  const scanner = new JsonValueScanner();
  scanner.write(text.slice(0, index));
  const open = scanner.openEnd({ cutOff: true });
  if (open === undefined) return split(text, index);
  if (open.resumableEnd - open.lastTokenEnd <= far) return split(text, open.lastTokenEnd);
  const space = text.lastIndexOf(' ', open.resumableEnd - 1);
  const isNear = space > Math.max(open.lastTokenEnd, open.resumableEnd - WORD_SEARCH_CHARS);
  return split(text, isNear ? space : open.resumableEnd);
}

/** The last place up to `index` that neither an escape nor a surrogate pair crosses. */
function boundaryBefore(text: string, index: number): number {
  const scanner = new JsonValueScanner();
  scanner.write(text.slice(0, index));
  return scanner.openEnd({ cutOff: true })?.resumableEnd ?? index;
}

const split = (text: string, index: number): ResumePoint => ({
  prefix: text.slice(0, index),
  received: text.slice(index),
});

/** How many characters at the end are one element said twice or more: `0,` in `[1,0,0,0,`. */
function repeatedTailLength(text: string): number {
  for (let size = 2; size * 2 <= Math.min(text.length, MAX_RUN_CHARS); size++) {
    const unit = text.slice(-size);
    if (unit.includes(',') && text.endsWith(unit, text.length - size)) return runLength(text, unit);
  }
  return 0;
}

function runLength(text: string, unit: string): number {
  let start = text.length;
  while (text.endsWith(unit, start) && text.length - start <= MAX_RUN_CHARS) start -= unit.length;
  return text.length - start;
}

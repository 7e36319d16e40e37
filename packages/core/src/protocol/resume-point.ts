import { JsonValueScanner } from './json/json-value-scanner.js';
import type { PartialCompletion } from './partial-completion-detector.js';

/** What the model is shown, and what had arrived behind that: the proof of whether it really went on from there. */
export interface ResumePoint {
  readonly prefix: string;
  readonly received: string;
}

/** A string that is shorter than this is written anew from its quote, as models do best. */
const LONG_STRING_CHARS = 400;
/** Inside a long string: how much of what had arrived is held back as proof. */
const PROOF_CHARS = 12;
/** How far back to look for the end of a word, where a continuation is most natural. */
const WORD_SEARCH_CHARS = 40;
/** A longer run of repeated elements is not asked for again. */
const LONGEST_RUN_CHARS = 4_000;
/** How much further back the next try begins when a completion could be read in several ways. */
const STEP_BACK_CHARS = 80;

/**
 * Where to take up a cut-off answer.
 *
 * Normally at the last complete token. Inside a long string, a few words before the cut. Behind a run of equal
 * elements, before the run: nobody could tell `0, 0, 0` continued from `0, 0, 0` repeated.
 *
 * `shown` is how much the model has been shown already. It is not asked the same again: where one answer is too short
 * for the string or the run, the next begins near the end of what is there, if need be at the very end.
 */
export function resumePoint(cut: PartialCompletion, shown = 0): ResumePoint {
  const text = cut.resumablePrefix;
  const points = [bestPoint(cut), pointAt(text, Math.max(0, text.length - PROOF_CHARS), 0)];
  return points.find(({ prefix }) => prefix.length > shown) ?? split(text, text.length);
}

function bestPoint({ lastValidToken, resumablePrefix }: PartialCompletion): ResumePoint {
  if (resumablePrefix.length - lastValidToken.length > LONG_STRING_CHARS) {
    return pointAt(resumablePrefix, resumablePrefix.length - PROOF_CHARS);
  }
  const run = repeatedTailLength(lastValidToken);
  if (run > 0) return pointAt(resumablePrefix, Math.max(1, lastValidToken.length - run));
  return split(resumablePrefix, lastValidToken.length);
}

/** A point further back, which holds back more proof. */
export function earlierResumePoint({ prefix, received }: ResumePoint): ResumePoint {
  return pointAt(prefix + received, Math.max(1, prefix.length - STEP_BACK_CHARS));
}

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

const split = (text: string, index: number): ResumePoint => ({
  prefix: text.slice(0, index),
  received: text.slice(index),
});

/** How many characters at the end are one element said twice or more: `0,` in `[1,0,0,0,`. */
function repeatedTailLength(text: string): number {
  for (let size = 2; size * 2 <= Math.min(text.length, LONGEST_RUN_CHARS); size++) {
    const unit = text.slice(-size);
    if (unit.includes(',') && text.endsWith(unit, text.length - size)) return runLength(text, unit);
  }
  return 0;
}

function runLength(text: string, unit: string): number {
  let start = text.length;
  while (text.endsWith(unit, start) && text.length - start <= LONGEST_RUN_CHARS) start -= unit.length;
  return text.length - start;
}

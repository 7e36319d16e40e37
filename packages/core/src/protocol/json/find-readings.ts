import { isSpace } from './characters.js';
import { compact, type TracedText, traceTokens } from './compact.js';
import { compareTexts } from './compare-telling.js';
import { findRepetition } from './find-repetition.js';
import { findRetellings, type KeysAt } from './find-retellings.js';
import { isProof } from './is-proof.js';
import { isRetoldFrom } from './is-retold-from.js';
import { JsonValueScanner } from './json-value-scanner.js';
import { isAfterword } from './unwrap-completion.js';

/** The text so far, and what is known about it. */
export interface Subject {
  readonly prefix: string;
  readonly received: string;
  readonly tokens: TracedText;
  readonly position: JsonValueScanner;
  readonly isInString: boolean;
  readonly keysAt: KeysAt | undefined;
}

/** One way to understand prefix and completion together. */
export interface Reading {
  readonly text: string;
  readonly complete: boolean;
  readonly keepsReceived: boolean;
}

/** More ways than this to overlap means a run of one repeated piece, where counting is guessing. */
const MAX_OVERLAPS = 64;
/** A number, a literal, or some of one. */
const WORD = /^[\w.+-]+$/;
/** A completion that begins with this much received text does so on purpose. */
const PROOF_CHARS = 12;
/** Nor does a completion contain this much previous text by chance. */
const EVIDENCE_CHARS = 64;

/** Every reading that the grammar allows, or `undefined` where nothing could tell which is meant. */
export function findReadings(subject: Subject, completion: string): Reading[] | undefined {
  const { prefix, position, received, isInString, keysAt } = subject;
  const { restStarts, isContained, startsInsideWord } = findRests(subject, completion);
  const keeps = (start: number) => keepsReceived(subject, completion.slice(start));
  const starts = preferring(restStarts, keeps);
  if (starts.length > MAX_OVERLAPS) return undefined;
  // `2` had arrived and `0, …` comes: the rest of that number, or a repetition that begins inside of `20`?
  if (startsInsideWord && WORD.test(received) && !keeps(0)) return undefined;
  const continued = starts.flatMap((start): Reading[] => {
    const reading = readOn(position.fork(), prefix, completion.slice(start));
    return reading === undefined ? [] : [{ ...reading, keepsReceived: keeps(start) }];
  });

  const retellings = findRetellings(prefix + received, prefix.length, completion, keysAt);
  const whole = retellings.filter(({ telling }) => telling === 'covers');
  const retold = whole.flatMap(({ start }) => retoldFrom(subject, start, completion));
  const isUnproven = isInString && received !== '' && retold.length === 0 && !isProof(received, prefix);
  if (isUnproven && continued.some((reading) => reading.keepsReceived)) return undefined;

  // A model that repeats, and is cut off before it comes to anything new, has said nothing.
  const isElsewhere =
    (compact(received).length >= PROOF_CHARS && keeps(0)) ||
    whole.some(({ start, isEvident }) => isEvident && compact(prefix.slice(start)).length >= EVIDENCE_CHARS);
  const saidNothing =
    isContained || retellings.some(({ telling, isEvident }) => telling === 'agrees' && (isEvident || !isElsewhere));
  const nothing: Reading = { text: prefix, complete: false, keepsReceived: true };
  return [...retold, ...continued, ...(saidNothing ? [nothing] : [])];
}

/**
 * Where new text may begin in the completion: at its start, or after a repetition of the prefix's tail. Compares
 * tokens and ignores white space; the repetition may begin inside a string.
 */
function findRests({ prefix, tokens, isInString }: Subject, completion: string) {
  const restStarts = new Set([0]);
  const note = (start: number) => restStarts.add(isInString ? start : skipSpace(completion, start));
  const inCharacters = findRepetition(prefix, completion);
  for (const length of inCharacters.overlaps) note(length);
  let isContained = completion === '' || inCharacters.occurrences.length > 0;
  let startsInsideWord = false;
  for (const startsInString of [false, true]) {
    const told = traceTokens(completion, startsInString);
    const mayBegin = (at: number) => tokens.quoted[at] === Number(startsInString);
    const { overlaps, occurrences } = findRepetition(tokens.text, told.text);
    for (const length of overlaps) {
      const at = tokens.text.length - length;
      if (length === 0 || !mayBegin(at)) continue;
      note(told.offsets[length] as number);
      startsInsideWord ||= !startsInString && WORD.test(tokens.text.slice(at - 1, at + 1));
    }
    isContained ||= occurrences.some(mayBegin);
  }
  return { restStarts: [...restStarts], isContained, startsInsideWord };
}

function keepsReceived({ received, isInString }: Subject, rest: string): boolean {
  if (rest.startsWith(received) || received.startsWith(rest)) return true;
  return !isInString && isRetoldFrom(received, rest); // white space counts only inside strings
}

/** The completion in place of all that it repeats; none if it contradicts the text received after the prefix. */
function retoldFrom({ prefix, received }: Subject, start: number, completion: string): Reading[] {
  const before = prefix.slice(0, start);
  const position = new JsonValueScanner();
  position.write(before);
  const reading = readOn(position, before, before.trim() === '' ? completion.trimStart() : completion);
  if (reading === undefined || compareTexts(prefix + received, reading.text) === 'differs') return [];
  return [{ ...reading, keepsReceived: true }];
}

/** The prefix continued by `rest`, or `undefined` where that breaks the grammar. */
function readOn(position: JsonValueScanner, prefix: string, rest: string): Omit<Reading, 'keepsReceived'> | undefined {
  const end = position.write(rest);
  if (position.broken) return undefined;
  if (position.openEnd({ cutOff: false }) !== undefined) return { text: prefix + rest, complete: false };
  return isAfterword(rest.slice(end)) ? { text: prefix + rest.slice(0, end), complete: true } : undefined;
}

export function isWholeDocument(text: string): boolean {
  return /^\s*[{[]/.test(text) && readOn(new JsonValueScanner(), '', text)?.complete === true;
}

/** Those that have the quality, or all where none has. */
export function preferring<T>(items: readonly T[], quality: (item: T) => boolean): T[] {
  const chosen = items.filter(quality);
  return chosen.length > 0 ? chosen : [...items];
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index++;
  return index;
}

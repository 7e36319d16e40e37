import { isCutOff } from '../model-answer.js';
import { compact, traceTokens } from './compact.js';
import { duplicateKey } from './duplicate-key.js';
import { findReadings, isWholeDocument, preferring, type Reading, type Subject } from './find-readings.js';
import type { KeysAt } from './find-retellings.js';
import { isRetoldFrom } from './is-retold-from.js';
import { JsonValueScanner } from './json-value-scanner.js';
import { beginsWithThought, unwrapCompletion } from './unwrap-completion.js';

export interface JoinOptions {
  /** Text received after `prefix` before the cut. It is evidence of how the text continues. */
  readonly received?: string;
  /** Why the completion ended. Only this distinguishes a cut-off completion from a whole one. */
  readonly stopReason?: string | undefined;
  /** Whether a complete value is of the expected shape. Readings that are not give way to readings that are. */
  readonly fits?: (value: unknown) => boolean;
  /** Which keys the object at a path may have; `undefined` where it may have any. No object is retold with others. */
  readonly keysAt?: KeysAt;
}

export type JoinRefusal =
  | 'prefix-not-json' // the prefix breaks the grammar: nothing can complete it
  | 'not-a-continuation' // no reading of the completion continues the prefix
  | 'ambiguous' // several readings do, and they say different things
  | 'duplicate-key' // the joined text would hold a key twice, and parsing it would drop a value
  | 'another-document' // the completion is a separate document and leaves this one unfinished
  | 'received-lost' // tokens that had arrived behind the prefix would be gone
  | 'unfinished'; // the provider says that the completion is whole, and the document is not

/** `complete: false`: the joined text continues the prefix and is cut off again. */
export type JoinResult =
  | { readonly joined: true; readonly text: string; readonly complete: boolean }
  | { readonly joined: false; readonly reason: JoinRefusal };

/**
 * Appends a completion to the prefix that the model was asked to complete: the document, or a refusal.
 *
 * Models continue exactly, repeat some of the tail first, repeat an element, an object or the whole document in
 * another layout or order of keys, and add a fence or prose. Every reading that the JSON grammar allows is considered.
 * As long as the model did one of these, the true reading is among them; so a single reading, or a reading singled out
 * by evidence, is the document. Different readings without distinguishing evidence are refused: a value is never
 * invented, dropped or changed.
 */
export function joinCompletion(prefix: string, completion: string, options: JoinOptions = {}): JoinResult {
  const position = new JsonValueScanner();
  const scanned = position.write(prefix);
  if (position.broken || !/^[ \t\r\n]*$/.test(prefix.slice(scanned))) return refuse('prefix-not-json');

  const subject: Subject = {
    prefix,
    received: options.received ?? '',
    tokens: traceTokens(prefix),
    position,
    isInString: endsInString(position),
    keysAt: options.keysAt,
  };
  const asIs = settle(findReadings(subject, completion), { subject, completion, options });
  // Thoughts inside a string may be part of the string, or not: only received text decides.
  const isUnproven = subject.isInString && subject.received === '';
  if (asIs.joined && isUnproven && beginsWithThought(completion)) return refuse('ambiguous');
  if (asIs.joined || (asIs.reason !== 'not-a-continuation' && asIs.reason !== 'received-lost')) return asIs;
  const unwrapped = unwrapCompletion(completion);
  if (unwrapped === undefined) return asIs;
  const result = settle(unwrappedReadings(subject, unwrapped), {
    subject,
    completion: unwrapped,
    options,
  });
  return result.joined || asIs.reason === 'not-a-continuation' ? result : asIs;
}

interface Joining {
  readonly subject: Subject;
  readonly completion: string;
  readonly options: JoinOptions;
}

function settle(readings: readonly Reading[] | undefined, { subject, completion, options }: Joining): JoinResult {
  if (readings === undefined) return refuse('ambiguous');
  if (readings.length === 0) return refuse('not-a-continuation');
  const { prefix } = subject;
  const result = choose(readings, subject, options);
  if (!result.joined || result.complete) return result;
  // A reading that only nests a second document in an unfinished one is none.
  if (completion.trim() !== '' && result.text === prefix + completion) {
    const beganAnew = beginsLike(prefix, completion) || (!isCutOff(options.stopReason) && isWholeDocument(completion));
    if (beganAnew) return refuse('another-document');
  }
  const saysWhole = options.stopReason !== undefined && !isCutOff(options.stopReason);
  return saysWhole ? refuse('unfinished') : result;
}

/** Whether the completion opens an object with the document's first key, i.e. starts over. */
function beginsLike(prefix: string, completion: string): boolean {
  const opening = /^\s*\{\s*("(?:[^"\\]|\\.){0,200}")\s*:/.exec(prefix.slice(0, 400))?.[1];
  return opening !== undefined && compact(completion.slice(0, 400)).startsWith(`{${opening}:`);
}

/**
 * Inside a string, a line of prose or a fence may be part of the string: only proof, or a whole repetition, decides.
 */
function unwrappedReadings(subject: Subject, unwrapped: string): Reading[] | undefined {
  const { isInString, received, prefix } = subject;
  if (!isInString) return findReadings(subject, unwrapped.trimStart());
  const separated = new Set([unwrapped, unwrapped.replace(/^ /, ''), unwrapped.replace(/^[\r\n]+/, '')]);
  const readings: Reading[] = [];
  for (const text of separated) {
    const isWhole = isRetoldFrom(prefix, text);
    if (received === '' && !isWhole) continue;
    const found = findReadings(subject, text);
    if (found === undefined) return undefined;
    readings.push(...found.filter((reading) => reading.keepsReceived));
  }
  return readings;
}

function choose(readings: readonly Reading[], { prefix, received }: Subject, options: JoinOptions): JoinResult {
  let left = preferring(readings, (reading) => reading.keepsReceived);
  // Without a word from the provider, a completion that ends the document is taken to be whole.
  if (!isCutOff(options.stopReason)) left = preferring(left, (reading) => reading.complete);
  left = left.filter(({ text }) => duplicateKey(text) === undefined);
  if (left.length === 0) return refuse('duplicate-key');
  const { fits } = options;
  if (fits !== undefined) left = preferring(left, ({ text, complete }) => !complete || fits(JSON.parse(text)));

  const [first, ...others] = left;
  if (first === undefined) return refuse('ambiguous');
  const said = others.length === 0 ? '' : compact(first.text);
  if (others.some(({ text }) => text !== first.text && compact(text) !== said)) return refuse('ambiguous');
  if (!first.keepsReceived && !mayBeRetold(prefix, received)) return refuse('received-lost');
  return { joined: true, text: first.text, complete: first.complete };
}

/** The model may rewrite a string that it had only begun after the prefix, but must not lose a whole token. */
function mayBeRetold(prefix: string, received: string): boolean {
  const scanner = new JsonValueScanner();
  scanner.write(prefix);
  const before = scanner.openEnd({ cutOff: true });
  if (endsInString(scanner)) return false;
  scanner.write(received);
  const after = scanner.openEnd({ cutOff: true });
  // A number other than the unfinished one is a different value, not a different spelling.
  if (after?.cutIn === 'number' || after?.cutIn === 'literal') return false;
  return after?.lastTokenEnd === before?.lastTokenEnd;
}

function endsInString(scanner: JsonValueScanner): boolean {
  const cutIn = scanner.openEnd({ cutOff: false })?.cutIn;
  return cutIn === 'string' || cutIn === 'key';
}

const refuse = (reason: JoinRefusal): JoinResult => ({ joined: false, reason });

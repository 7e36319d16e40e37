import { isCutOff } from '../stop-reason.js';
import { compact } from './compact.js';
import { duplicateKey } from './duplicate-key.js';
import { isRetoldFrom } from './is-retold-from.js';
import { JsonValueScanner } from './json-value-scanner.js';
import { overlaps } from './overlaps.js';
import { unwrapCompletion } from './unwrap-completion.js';

export interface JoinOptions {
  /** What had arrived behind `prefix` before the cut. It is evidence: the text really did go on this way. */
  readonly received?: string;
  /** Why the completion ended. Only this tells a completion that was cut off itself from a whole one. */
  readonly stopReason?: string | undefined;
  /** Whether a complete value is of the expected shape. Readings that are not give way to readings that are. */
  readonly fits?: (value: unknown) => boolean;
}

export type JoinRefusal =
  | 'prefix-not-json' // the prefix breaks the grammar: nothing can complete it
  | 'not-a-continuation' // no reading of the completion continues the prefix
  | 'ambiguous' // several readings do, and they say different things
  | 'duplicate-key' // the joined text would hold a key twice, and parsing it would drop a value
  | 'another-document' // the completion is a document of its own and leaves this one unfinished
  | 'received-lost'; // tokens that had arrived behind the prefix would be gone

/** `complete: false`: the joined text continues the prefix and is cut off again. */
export type JoinResult =
  | { readonly joined: true; readonly text: string; readonly complete: boolean }
  | { readonly joined: false; readonly reason: JoinRefusal };

/** One way to understand prefix and completion together. */
type Reading = { readonly text: string; readonly complete: boolean; readonly keepsReceived: boolean };

/** More ways than this to overlap means a run of one repeated piece, where counting is guessing. */
const MOST_OVERLAPS = 64;

/**
 * Puts a completion behind the prefix that the model was asked to complete: the document, or a refusal.
 *
 * Models continue exactly, repeat some of the tail first, start again from the beginning, add a fence or a line of
 * prose. Every reading that the JSON grammar allows is looked at. As long as the model did one of these, the true
 * reading is among them; so one reading alone, or one that the evidence singles out, is the document. Readings that
 * differ and that nothing tells apart are refused: a value is never invented, dropped or changed.
 */
export function joinCompletion(prefix: string, completion: string, options: JoinOptions = {}): JoinResult {
  const position = new JsonValueScanner();
  const scanned = position.write(prefix);
  if (position.broken || !/^[ \t\r\n]*$/.test(prefix.slice(scanned))) return refuse('prefix-not-json');

  const received = options.received ?? '';
  const asIs = readingsOf(position, prefix, completion, received);
  if (asIs === undefined) return refuse('ambiguous');
  if (asIs.length > 0) return settle(asIs, { prefix, completion, options });

  const unwrapped = unwrapCompletion(completion);
  if (unwrapped === undefined) return refuse('not-a-continuation');
  // Inside a string, a line of prose or a fence may be what the string holds: only proof, or a whole retelling, tells.
  const isProven = !isInString(position) || (received !== '' && unwrapped.startsWith(received));
  const readings = isProven
    ? readingsOf(position, prefix, unwrapped, received)
    : retelling(prefix, unwrapped, received);
  if (readings === undefined) return refuse('ambiguous');
  return readings.length > 0
    ? settle(readings, { prefix, completion: unwrapped, options })
    : refuse('not-a-continuation');
}

interface Joining {
  readonly prefix: string;
  readonly completion: string;
  readonly options: JoinOptions;
}

/** Of readings that leave the document unfinished, one that only nests a second document in it is none. */
function settle(readings: readonly Reading[], joining: Joining): JoinResult {
  const { prefix, completion, options } = joining;
  const result = choose(readings, prefix, options);
  if (!result.joined || result.complete || result.text === completion.trimStart()) return result;
  const beganAnew = beginsLike(prefix, completion) || (!isCutOff(options.stopReason) && isWholeDocument(completion));
  return beganAnew && result.text !== prefix ? refuse('another-document') : result;
}

/** Whether the completion opens an object with the very key that the document began with: it is told anew. */
function beginsLike(prefix: string, completion: string): boolean {
  const opening = /^\s*\{\s*("(?:[^"\\]|\\.){0,200}")\s*:/.exec(prefix.slice(0, 400))?.[1];
  return opening !== undefined && compact(completion.slice(0, 400)).startsWith(`{${opening}:`);
}

/** Every reading that the grammar allows, or `undefined` where there are too many to look at. */
function readingsOf(position: JsonValueScanner, prefix: string, completion: string, received: string) {
  const keeps = (rest: string) =>
    rest.startsWith(received) || received.startsWith(rest) || (!isInString(position) && isRetoldFrom(received, rest)); // white space counts only inside strings
  const lengths = preferring(overlaps(prefix, completion), (length) => keeps(completion.slice(length)));
  if (lengths.length > MOST_OVERLAPS) return undefined;
  const readings = lengths.flatMap((length): Reading[] => {
    const rest = completion.slice(length);
    const reading = readOn(position.fork(), prefix, rest);
    return reading === undefined ? [] : [{ ...reading, keepsReceived: keeps(rest) }];
  });
  readings.push(...retelling(prefix, completion, received));
  // A model that repeats, and is cut off before it comes to anything new, has said nothing.
  if (prefix.includes(completion)) readings.push({ text: prefix, complete: false, keepsReceived: true });
  return readings;
}

/** The prefix continued by `rest`, or `undefined` where that breaks the grammar. */
function readOn(position: JsonValueScanner, prefix: string, rest: string): Omit<Reading, 'keepsReceived'> | undefined {
  const end = position.write(rest);
  if (position.broken) return undefined;
  if (position.openEnd({ cutOff: false }) !== undefined) return { text: prefix + rest, complete: false };
  return ONLY_A_CLOSING_FENCE.test(rest.slice(end)) ? { text: prefix + rest.slice(0, end), complete: true } : undefined;
}

function isWholeDocument(text: string): boolean {
  return /^\s*[{[]/.test(text) && readOn(new JsonValueScanner(), '', text)?.complete === true;
}

/** A model that was asked to go on may tell the whole document again from its beginning. */
function retelling(prefix: string, completion: string, received: string): Reading[] {
  const whole = completion.trimStart();
  if (!/^[{[]/.test(prefix.trimStart()) || !isRetoldFrom(prefix, whole)) return [];
  const reading = readOn(new JsonValueScanner(), '', whole);
  return reading === undefined ? [] : [{ ...reading, keepsReceived: isRetoldFrom(prefix + received, whole) }];
}

function choose(readings: readonly Reading[], prefix: string, options: JoinOptions): JoinResult {
  let left = preferring(readings, (reading) => reading.keepsReceived);
  // Without a word from the provider, a completion that ends the document is taken to be whole.
  if (!isCutOff(options.stopReason)) left = preferring(left, (reading) => reading.complete);
  left = left.filter(({ text }) => duplicateKey(text) === undefined);
  if (left.length === 0) return refuse('duplicate-key');
  const { fits } = options;
  if (fits !== undefined) left = preferring(left, ({ text, complete }) => !complete || fits(JSON.parse(text)));

  const [first, ...others] = left;
  if (first === undefined || others.some(({ text }) => compact(text) !== compact(first.text)))
    return refuse('ambiguous');
  if (!first.keepsReceived && !mayBeRetold(prefix, options.received ?? '')) return refuse('received-lost');
  return { joined: true, text: first.text, complete: first.complete };
}

/** Those that have the quality, or all where none has. */
function preferring<T>(items: readonly T[], quality: (item: T) => boolean): T[] {
  const chosen = items.filter(quality);
  return chosen.length > 0 ? chosen : [...items];
}

/** The model may write a token anew that it had only begun behind the prefix, but must not lose whole ones. */
function mayBeRetold(prefix: string, received: string): boolean {
  const scanner = new JsonValueScanner();
  scanner.write(prefix);
  const before = scanner.openEnd({ cutOff: true });
  if (isInString(scanner)) return false;
  scanner.write(received);
  return scanner.openEnd({ cutOff: true })?.lastTokenEnd === before?.lastTokenEnd;
}

function isInString(scanner: JsonValueScanner): boolean {
  const cutIn = scanner.openEnd({ cutOff: false })?.cutIn;
  return cutIn === 'string' || cutIn === 'key';
}

const ONLY_A_CLOSING_FENCE = /^\s*(?:`{3,}\s*)?$/;

const refuse = (reason: JoinRefusal): JoinResult => ({ joined: false, reason });

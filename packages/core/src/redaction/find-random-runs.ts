import { characterSet } from './character-set.js';
import { findPublicBlocks } from './find-private-keys.js';
import { runEnd } from './run-end.js';
import { RUN_FORMATS } from './secret-formats.js';
import type { SecretSpan } from './secret-span.js';
import { wordiness } from './wordiness.js';

const MIN_RUN_LENGTH = 20;
/** Ids, names of temporary files and hashes in base 32 are as long as this, and are no secrets. */
const MIN_SINGLE_CASE_LENGTH = 28;

/** Below which {@link wordiness} a run is random: calibrated on some 30,000 long runs of real sources and sessions. */
const RANDOM_BELOW = { mixed: -0.35, letters: -0.9, singleCase: -0.45 } as const;

/** Runs that are random but known: checksums, ids of models' messages and tool calls, ULIDs, GitHub's node ids. */
const ORDINARY_RUN =
  /^(?:sha(?:1|224|256|384|512)[-_/]|(?:msg|toolu|srvtoolu|req|call|chatcmpl|resp|run|thread|asst|file|item|step|batch|msgbatch|evt|fc|rs|ws|gen|cmpl)[-_][A-Za-z0-9]|[0-7][0-9A-HJKMNP-TV-Z]{25}$|c[a-z0-9]{24}$|[A-Z]{0,5}_?kwDO|AGFzbQ|AAAA[BCE]3Nza)/;
/** What says so in front of a run: `SHA256:`, go.sum's `h1:`, a data URI, an SSH key. */
const ORDINARY_BEFORE =
  /(?:sha\d{1,3}|md5|h1|integrity|etag)[:="' ]{1,3}$|data:(?:image|font|audio|video|application\/(?:json|wasm|font|x-font|octet-stream))[\w.+%;=/-]{0,60},$|ssh-(?:rsa|ed25519|dss) $|ecdsa-[\w-]{1,24} $/i;
const BEFORE_REACH = 96;

/** Runs of 20 or more letters, digits, `+`, `/`, `_` and `-` that no word, name, path or hash would look like. */
export function findRandomRuns(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  const publicBlocks = findPublicBlocks(text);
  let block = 0;
  for (const { start, end } of longRuns(text)) {
    while (block < publicBlocks.length && (publicBlocks[block]?.end ?? 0) <= start) block++;
    if ((publicBlocks[block]?.start ?? text.length) <= start) continue;
    for (const secret of secretsInRun(text, start, end)) found.push(secret);
  }
  return found;
}

/** Where the next of them is, or -1; some of those are ordinary in their text after all. */
export function nextRandomRun(text: string, from: number): number {
  for (let start = longRunFrom(text, from); start !== -1; ) {
    const end = runEnd(text, start + MIN_RUN_LENGTH, isRunCharacter);
    if (secretsInRun(text, start, end).length > 0) return start;
    start = longRunFrom(text, end + 1);
  }
  return -1;
}

function* longRuns(text: string): Iterable<{ start: number; end: number }> {
  for (let start = longRunFrom(text, 0); start !== -1; ) {
    const end = runEnd(text, start + MIN_RUN_LENGTH, isRunCharacter);
    yield { start, end };
    start = longRunFrom(text, end + 1);
  }
}

/**
 * Where the next long run begins, or -1; before `from` no run may be open. An expression is quick from the start, and most
 * processes read only a few texts.
 */
function longRunFrom(text: string, from: number): number {
  LONG_RUN.lastIndex = Math.max(0, from - 1);
  const match = LONG_RUN.exec(text);
  return match === null ? -1 : LONG_RUN.lastIndex - MIN_RUN_LENGTH;
}

/** What ends a run, and of the next one as much as makes it long: so no run is looked into twice. */
const LONG_RUN = new RegExp(`(?:^|[^A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{${MIN_RUN_LENGTH}}`, 'g');

const isRunCharacter = characterSet(/[A-Za-z0-9+/_-]/);

/** The secrets in a run of this text, unless it belongs to a certificate. */
function secretsInRun(text: string, from: number, to: number): readonly SecretSpan[] {
  const start = from + escapeLength(text, from);
  if (to - start < MIN_RUN_LENGTH || isWords(text, start, to)) return NOTHING;
  const run = text.slice(start, to);
  if (isOrdinary(run)) return NOTHING;
  const found = randomIn(run, start, to + paddingLength(text, to), text);
  return found.length === 0 || isOrdinaryBehind(text, start) ? NOTHING : found;
}

const NOTHING: readonly SecretSpan[] = [];

/** No digit is in it, and its letters follow each other as they do in words. */
function isWords(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isDigit(text.charCodeAt(at))) return false;
  return wordiness(text, start, end) > RANDOM_BELOW.letters;
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

function randomIn(run: string, start: number, end: number, text: string): SecretSpan[] {
  const shape = RUN_FORMATS.find(({ pattern }) => pattern.test(text.slice(start, end)));
  if (shape !== undefined) return [{ start, end, kind: shape.kind }];
  if (!isPath(run) && isRandom(run)) return [{ start: start + namesLength(run), end, kind: 'high-entropy' }];
  return [...partsOf(run)]
    .filter((part) => isMixed(part.text) && isRandom(part.text))
    .map((part) => ({ start: start + part.at, end: start + part.at + part.text.length, kind: 'high-entropy' }));
}

/** `\n`, `%3D` and `[31m`, written out, end with letters that are not part of what follows. */
function escapeLength(text: string, at: number): number {
  const before = text[at - 1];
  if (before !== '\\' && before !== '%' && before !== '[' && before !== ';') return 0;
  return ESCAPES[before]?.exec(text.slice(at, at + 8))?.[0].length ?? 0;
}

const ESCAPES: Readonly<Record<string, RegExp>> = {
  '\\': /^(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[nrtbfv])/,
  '%': /^[0-9A-Fa-f]{2}/,
  '[': /^\d{0,3}m/,
  ';': /^\d{1,3}m/,
};

/** Words that are joined to the front of a random run, as in `service_token_…`. */
function namesLength(run: string): number {
  let length = 0;
  for (const [name] of run.slice(0, 128).matchAll(/(?:[A-Za-z][a-z]{2,}|[A-Z]{3,})[_-]/g)) {
    const isNext = run.startsWith(name, length) && run.length - length - name.length >= MIN_RUN_LENGTH;
    if (!isNext || wordiness(name) < 0.3) break;
    length += name.length;
  }
  return length;
}

function paddingLength(text: string, at: number): number {
  if (text[at] !== '=') return 0;
  return text[at + 1] === '=' ? 2 : 1;
}

const isOrdinary = (run: string) => ORDINARY_RUN.test(run);

/** Behind `SHA256:` and the like, or in the path of an address: what is secret in addresses are passwords and queries. */
function isOrdinaryBehind(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - BEFORE_REACH), at);
  if (ORDINARY_BEFORE.test(before)) return true;
  const address = before.lastIndexOf('://');
  if (address !== -1) return !/[\s"'`<>?#=&()]/.test(before.slice(address + 3));
  return before.endsWith(':') && text.startsWith('//', at);
}

/** Where absolute paths begin. */
const TOP_FOLDER =
  /^\/(?:tmp|home|usr|var|etc|opt|root|mnt|media|srv|proc|dev|run|data|app|work|workspaces?|private|Users|Volumes|Library|Applications)\//;

/** Whether it contains folders with ordinary names: two, a long one, or one at the start of a path. */
function isPath(run: string): boolean {
  if (!run.includes('/')) return false;
  if (TOP_FOLDER.test(run)) return true;
  const names = run.split(/[/_-]/).filter((part) => /^[A-Z]?[a-z]{3,40}$/.test(part) && wordiness(part) > 0.3);
  return names.length > 1 || names.join('').length * 3 > run.length;
}

/** The long parts of a run: names in a path, and what is joined by `_` and `-` in them. */
function* partsOf(run: string): Iterable<{ at: number; text: string }> {
  for (const name of longParts(run, '/')) {
    if (name.text !== run && isRandom(name.text)) yield name;
    else for (const piece of longParts(name.text, /[+_-]/)) yield { at: name.at + piece.at, text: piece.text };
  }
}

function* longParts(run: string, separator: string | RegExp): Iterable<{ at: number; text: string }> {
  let at = 0;
  for (const text of run.split(separator)) {
    if (text.length >= MIN_RUN_LENGTH && !isOrdinary(text)) yield { at, text };
    at += text.length + 1;
  }
}

const isMixed = (run: string) => /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);

/** So much of a run tells what the rest is. */
const JUDGED = 4096;

function isRandom(run: string): boolean {
  const text = withoutHashes(run.slice(0, JUDGED));
  if (text.length < MIN_RUN_LENGTH) return false;
  if (isMixed(text)) return wordiness(text) < RANDOM_BELOW.mixed;
  if (/[a-z]/.test(text) && /[A-Z]/.test(text)) return wordiness(text) < RANDOM_BELOW.letters;
  if (text.length < MIN_SINGLE_CASE_LENGTH || !/\d/.test(text) || !/[A-Za-z]/.test(text) || text.includes('/'))
    return false;
  return wordiness(text) < RANDOM_BELOW.singleCase;
}

/** UUIDs, commits, digests and numbers are told by being hexadecimal. */
const withoutHashes = (run: string) =>
  run.replace(/(?<![A-Za-z0-9])(?:0x)?(?:[0-9a-fA-F]{6,}|\d+|[0-9a-f]{4})(?![A-Za-z0-9])/g, '');

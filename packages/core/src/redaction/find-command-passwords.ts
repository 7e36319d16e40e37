import { isPlaceholder } from './is-placeholder.js';
import { matchAt } from './match-at.js';
import type { SecretSpan } from './secret-span.js';

/** How a program takes a password on its command line. */
interface Program {
  readonly name: RegExp;
  /** A flag that takes the next word. */
  readonly flag?: RegExp;
  /** The beginning of a word that continues with the flag's value. */
  readonly joinedFlag?: RegExp;
  /** What it takes is `user:password`. */
  readonly hasUser?: true;
}

const PROGRAMS: readonly Program[] = [
  { name: /^redis-cli$/, flag: /^(?:-a|--pass)$/ },
  // `-p shop` names a database: MySQL wants the password in the same word. Digits alone are a port, of docker as a rule.
  { name: /^(?:mysql|mariadb)[a-z-]{0,12}$/, joinedFlag: /^-p(?!assw|\d{1,5}(?:[:/]|$))(?=.)/ },
  { name: /^curl$/, flag: /^(?:-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user)$/, joinedFlag: /^-[uU](?=.)/, hasUser: true },
];

/** Looking for these first makes a text that mentions none, as nearly all do, cost next to nothing. */
const MENTIONED = ['redis-cli', 'mysql', 'mariadb', 'curl'];
const BEGINNING = /(?<![\w.-])(?:redis-cli|(?:mysql|mariadb)[a-z-]{0,12}|curl)(?=[ \t])/g;
/** A word of a shell's line, with the space before it; also as it stands within a string of JSON. */
const WORD =
  /(?:[ \t]|\\\r?\n){1,64}((?:\\{0,4}"[^"\\\n]{0,256}\\{0,4}"|\\{0,4}'[^'\\\n]{0,256}\\{0,4}'|[^\s"'`;|&()<>\\]){1,512})/y;
const QUOTED = /^\\{0,4}["'](.*?)(\\{0,4}["'])$/s;
const SHORTEST = 4;
/** What stands behind a flag in sentences about it. */
const ORDINARY = /^(?:options?|flags?|arguments?|param(?:eter)?s?|switch|with|when|then|instead|from)$/i;

/** Where the next of these programs is named, or -1. */
export function nextCommandWithPassword(text: string, from: number): number {
  const places = MENTIONED.map((name) => text.indexOf(name, from)).filter((at) => at !== -1);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** Passwords of programs that take them in a short flag: `redis-cli -a …`, `mysql -p…`, `curl -u me:…`. */
export function findCommandPasswords(text: string): SecretSpan[] {
  if (!MENTIONED.some((name) => text.includes(name))) return [];
  const found: SecretSpan[] = [];
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match !== null; match = BEGINNING.exec(text)) {
    BEGINNING.lastIndex = readCommand(text, { name: match[0], start: match.index }, found);
  }
  return found;
}

/**
 * Reads the words after the program and returns where they end: each is read once, even with other programs among
 * them.
 */
function readCommand(
  text: string,
  { name, start }: { readonly name: string; readonly start: number },
  found: SecretSpan[],
): number {
  let at = start + name.length;
  let program = programOf(name);
  let isNextTaken = false;
  for (let match = matchAt(WORD, text, at); match !== undefined; match = matchAt(WORD, text, at)) {
    at += match[0].length;
    const word = match[1] ?? '';
    const joined = program?.joinedFlag?.exec(word)?.[0];
    const secret = isNextTaken ? passwordIn(word, program) : joined && passwordIn(word.slice(joined.length), program);
    if (secret) found.push({ start: at - secret.fromEnd, end: at - secret.fromEnd + secret.length, kind: 'password' });
    isNextTaken = !isNextTaken && program?.flag?.test(word) === true;
    program = programOf(word.slice(word.lastIndexOf('/') + 1)) ?? program;
  }
  return at;
}

const programOf = (name: string) => PROGRAMS.find((program) => program.name.test(name));

/** Where the password is in what a flag was given: how far before its end it begins, and how long it is. */
function passwordIn(given: string, program: Program | undefined) {
  const [, inner = given, quote = ''] = QUOTED.exec(given) ?? [];
  const from = program?.hasUser ? inner.indexOf(':') + 1 : 0;
  const password = inner.slice(from);
  const isUserOnly = program?.hasUser && from === 0;
  if (isUserOnly || password.length < SHORTEST || password.startsWith('-')) return undefined;
  if (ORDINARY.test(password) || isPlaceholder(password)) return undefined;
  return { fromEnd: quote.length + password.length, length: password.length };
}

import { namesPassword } from './assigned-kind.js';
import { characterSet } from './character-set.js';
import type { CredentialKey } from './credential-key.js';
import { isPassphrase } from './is-passphrase.js';
import { matchAt } from './match-at.js';

export interface AssignedValue {
  readonly start: number;
  readonly text: string;
  /** Without quotes, in a place where code could stand. */
  readonly isBare: boolean;
  /** How it continues if it was too long to read at once. */
  readonly goesOnWith?: (code: number) => boolean;
}

const QUOTED =
  /"((?:[^"\\\n]|\\.){0,4096})(?:"|$)|'((?:[^'\\\n]|\\.){0,4096})(?:'|$)|`((?:[^`\\\n]|\\.){0,4096})(?:`|$)/y;
const ESCAPED_QUOTED = /(\\{1,8}["'`])([^"'`\\\n]{0,4096})/y;

/** Bounded, because a run without spaces may hold a key every few characters. A secret is taken to its end. */
const BARE = /[^\s"'`,;&|<>(){}[\]\\]{1,128}[([]?/y;
const isBareCharacter = characterSet(/[^\s"'`,;&|<>(){}[\]\\]/, { beyondAscii: true });
/** In a line of `.env` and a flag nothing but a space ends a value. */
const ENVIRONMENT = /[^\s"'`\\]{1,128}/y;
const isEnvironmentCharacter = characterSet(/[^\s"'`\\]/, { beyondAscii: true });
const READ_AT_ONCE = 128;
/** Words with spaces to the end of the line, or with dashes to the end of the value: neither is an expression. */
const PHRASE =
  /[A-Za-z]{3,20}(?: [A-Za-z]{3,20}){3,11}(?=[ \t]{0,8}(?:\r?\n|$))|[A-Za-z]{3,20}(?:-[A-Za-z]{3,20}){2,11}(?=[ \t]{0,8}(?:\r?\n|$)|[,;"'`\]})])/y;

/** The value at `start`, of the key whose separator is at `separator`. */
export function readValue(
  text: string,
  { key, separator, start }: { key: CredentialKey; separator: number; start: number },
): AssignedValue | undefined {
  const escaped = matchAt(ESCAPED_QUOTED, text, start);
  if (escaped !== undefined) {
    const [, quote = '', inner = ''] = escaped;
    return { start: start + quote.length, text: inner, isBare: false };
  }
  const quoted = matchAt(QUOTED, text, start);
  if (quoted !== undefined) return { start: start + 1, text: quoted[1] ?? quoted[2] ?? quoted[3] ?? '', isBare: false };

  const isEnvironment = /^(?:[A-Z][A-Z0-9_]+$|--)/.test(key.name) && isEnvironmentAt(text, key, separator, start);
  const phrase = !isEnvironment && namesPassword(key.words) ? matchAt(PHRASE, text, start)?.[0] : undefined;
  if (phrase !== undefined && isPassphrase(phrase)) return { start, text: phrase, isBare: false };
  const word = matchAt(isEnvironment ? ENVIRONMENT : BARE, text, start)?.[0].replace(/[;,]{1,4}$/, '');
  if (word === undefined) return undefined;
  const isBare = !(isEnvironment || isPlainPassword(text, key, start, word)) || /^[\w$.]+\(/.test(word);
  if (word.length < READ_AT_ONCE) return { start, text: word, isBare };
  return { start, text: word, isBare, goesOnWith: isEnvironment ? isEnvironmentCharacter : isBareCharacter };
}

/** `KEY=value` or `--key=value`, without spaces and not in a query. */
const isEnvironmentAt = (text: string, key: CredentialKey, separator: number, start: number) =>
  start === separator + 1 && text[separator] === '=' && !/[?&]/.test(text.charAt(separator - key.name.length - 1));

/** `password: correcthorse` and nothing more in the line: not code, which would continue with a comma or semicolon. */
const isPlainPassword = (text: string, { words }: CredentialKey, start: number, word: string) =>
  /pass|pwd/.test(words) && /^[a-z]{8,}$/.test(word) && /^[\r\n]?$/.test(text.charAt(start + word.length));

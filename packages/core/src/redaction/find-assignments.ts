import { assignedKind } from './assigned-kind.js';
import { characterSet } from './character-set.js';
import { type CredentialKey, judgeKey } from './credential-key.js';
import { findAuthorization, findCookies } from './find-headers.js';
import { looksLikeBareCredential, looksLikeCredential } from './looks-like-credential.js';
import { matchAt } from './match-at.js';
import { isKindOfPlaceholder } from './placeholder.js';
import { readValue } from './read-value.js';
import { runEnd } from './run-end.js';
import type { SecretSpan } from './secret-span.js';

/** Values of keys that name secrets: `PASSWORD=…`, `"api_key": "…"`, `Authorization: Bearer …`, `<password>…`. */
export function findAssignments(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  const keys = new Map<string, CredentialKey>();
  for (let at = 0; at < text.length; at++) {
    if (!isSeparator(text.charCodeAt(at))) continue;
    const key = keyBefore(text, at, keys);
    if (key.isOrdinary || (text[at] === '>' && text[at - key.name.length - 1] !== '<')) continue;
    const { secrets, end } = secretsAt(text, key, at);
    for (const secret of secrets) found.push(secret); // there may be more than arguments fit in a call
    at = Math.max(at, end - 1);
  }
  return found;
}

const isSeparator = characterSet(/[:=>]/);
const SEPARATOR = />|(?:[:=]{1,3}>?)[ \t]{0,32}(?:[|>][+-]?[ \t]{0,8}\r?\n[ \t]{1,64})?(?:[rbfu](?=["']))?/y;

/** What may stand between a key and its separator: spaces, closing quotes (escaped, too) and brackets, `?` of a type. */
const isSpace = characterSet(/[ \t]/);
const isCloser = characterSet(/[\\"'`\]?!]/);
const isKeyCharacter = characterSet(/[\w$.-]/);
const LONGEST_KEY = 64;

/** The key that ends here. Most keys of a text come again and again: they are judged once. */
function keyBefore(text: string, at: number, known: Map<string, CredentialKey>): CredentialKey {
  const end = skipBack(text, skipBack(text, at, isSpace, 4), isCloser, 6);
  const start = skipBack(text, end, isKeyCharacter, LONGEST_KEY);
  const name = isKindOfPlaceholder(text, start) ? '' : text.slice(start, end);
  const key = known.get(name) ?? judgeKey(name);
  known.set(name, key);
  return key;
}

function skipBack(text: string, from: number, isSkipped: (code: number) => boolean, most: number): number {
  let at = from;
  while (at > 0 && from - at < most && isSkipped(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The secrets that the key at this separator holds, and up to where it has been read for good. */
function secretsAt(text: string, key: CredentialKey, separator: number): { secrets: SecretSpan[]; end: number } {
  const start = separator + (matchAt(SEPARATOR, text, separator)?.[0].length ?? 1);
  if (key.header === 'authorization') return findAuthorization(text, start);
  if (key.header !== undefined) return findCookies(text, start, key.header);

  const value = readValue(text, { key, separator, start });
  if (value === undefined) return { secrets: [], end: start };
  const kind = assignedKind(key, value.text, value.isBare ? looksLikeBareCredential : looksLikeCredential);
  if (kind === undefined) return { secrets: [], end: start };
  const read = value.start + value.text.length;
  const end = value.goesOnWith === undefined ? read : runEnd(text, read, value.goesOnWith);
  return { secrets: [{ start: value.start, end, kind }], end };
}

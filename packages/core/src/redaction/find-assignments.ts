import { assignedKind } from './assigned-kind.js';
import { characterSet } from './character-set.js';
import { type CredentialKey, judgeKey } from './credential-key.js';
import { findAuthorization, findCookies } from './find-headers.js';
import { matchAt } from './match-at.js';
import { mayNameSecret } from './may-name-secret.js';
import { isKindOfPlaceholder } from './placeholder.js';
import { readValue } from './read-value.js';
import { runEnd } from './run-end.js';
import type { SecretSpan } from './secret-span.js';

/** Values of keys that name secrets: `PASSWORD=…`, `"api_key": "…"`, `Authorization: Bearer …`, `<password>…`. */
export function findAssignments(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  const keys = new Map<string, CredentialKey>();
  for (let at = 0; at < text.length; at++) {
    const assigned = isSeparator(text.charCodeAt(at)) ? assignedAt(text, at, keys) : undefined;
    if (assigned === undefined) continue;
    for (const secret of assigned.secrets) found.push(secret); // there may be more than arguments fit in a call
    at = Math.max(at, assigned.end - 1);
  }
  return found;
}

/** What is assigned at this separator to a key that may hold a secret. Keys that were judged before are known. */
export function assignedAt(text: string, at: number, known: Map<string, CredentialKey>): Assigned | undefined {
  const key = keyBefore(text, at, known);
  if (key === undefined || key.isOrdinary || (text[at] === '>' && text[at - key.name.length - 1] !== '<'))
    return undefined;
  return secretsAt(text, key, at);
}

export interface Assigned {
  readonly secrets: readonly SecretSpan[];
  /** Up to where it has been read for good. */
  readonly end: number;
}

const isSeparator = characterSet(/[:=>]/);
const SEPARATOR = />|(?:[:=]{1,3}>?)[ \t]{0,32}(?:[|>][+-]?[ \t]{0,8}\r?\n[ \t]{1,64})?(?:[rbfu](?=["']))?/y;

/** What may stand between a key and its separator: spaces, closing quotes (escaped, too) and brackets, `?` of a type. */
const isSpace = characterSet(/[ \t]/);
const isCloser = characterSet(/[\\"'`\]?!]/);
const isKeyCharacter = characterSet(/[\w$.-]/);
const MAX_SPACES = 4;
const MAX_CLOSERS = 6;
const MAX_KEY_LENGTH = 64;

/** The key that ends here, where it may be one of a secret. Those of a text come again and again: they are judged once. */
function keyBefore(text: string, at: number, known: Map<string, CredentialKey>): CredentialKey | undefined {
  let end = at;
  while (end > 0 && at - end < MAX_SPACES && isSpace(text.charCodeAt(end - 1))) end--;
  for (const spaces = end; end > 0 && spaces - end < MAX_CLOSERS && isCloser(text.charCodeAt(end - 1)); ) end--;
  let start = end;
  while (start > 0 && end - start < MAX_KEY_LENGTH && isKeyCharacter(text.charCodeAt(start - 1))) start--;
  if (!mayNameSecret(text, start, end)) return undefined;
  const name = isKindOfPlaceholder(text, start) ? '' : text.slice(start, end);
  const key = known.get(name) ?? judgeKey(name);
  known.set(name, key);
  return key;
}

function secretsAt(text: string, key: CredentialKey, separator: number): Assigned {
  const start = separator + (matchAt(SEPARATOR, text, separator)?.[0].length ?? 1);
  if (key.header === 'authorization') return findAuthorization(text, start);
  if (key.header !== undefined) return findCookies(text, start, key.header);

  const value = readValue(text, { key, separator, start });
  if (value === undefined) return { secrets: [], end: start };
  const kind = assignedKind(key, value.text, value);
  if (kind === undefined) return { secrets: [], end: start };
  const read = value.start + value.text.length;
  const end = value.goesOnWith === undefined ? read : runEnd(text, read, value.goesOnWith);
  return { secrets: [{ start: value.start, end, kind }], end };
}

import { isPlaceholder } from './is-placeholder.js';
import { looksLikeCredential } from './looks-like-credential.js';
import { matchAt } from './match-at.js';
import type { SecretSpan } from './secret-span.js';
import { wordiness } from './wordiness.js';

interface HeaderValue {
  readonly secrets: SecretSpan[];
  readonly end: number;
}

const AUTHORIZATION = /(\\{0,8}["'`]?)(?:([A-Za-z][\w-]{1,24})[ \t]{1,8})?([^\s"'`,;\\<>]{6,4096})/y;
const KINDS: Readonly<Record<string, string>> = { bearer: 'bearer-token', basic: 'basic-credentials' };

/** In an `Authorization` header the scheme stays, what proves who is asking goes. */
export function findAuthorization(text: string, start: number): HeaderValue {
  const match = matchAt(AUTHORIZATION, text, start);
  if (match === undefined) return { secrets: [], end: start };
  const [whole, , scheme = '', secret = ''] = match;
  const end = start + whole.length;
  if (!looksMade(secret) || !looksLikeCredential(secret, 'sure') || /^[\w$.]+\(/.test(secret))
    return { secrets: [], end };
  return { secrets: [{ start: end - secret.length, end, kind: KINDS[scheme.toLowerCase()] ?? 'authorization' }], end };
}

/** Longer than any header may be; the search for random runs finds what is longer. */
const PAIR = /[ \t"'`\\]{0,8}([^\s=;"'`\\]{1,128})=([^\s;"'`\\]{0,4096})(;?)/y;
const MIN_COOKIE_LENGTH = 6;

/** The values in a `Cookie` header; of `Set-Cookie` only the first pair is one, the others say how long it lives. */
export function findCookies(text: string, start: number, header: 'cookie' | 'set-cookie'): HeaderValue {
  const secrets: SecretSpan[] = [];
  for (let at = start; ; ) {
    const match = matchAt(PAIR, text, at);
    if (match === undefined) return { secrets, end: at };
    const [whole, , value = '', more = ''] = match;
    at += whole.length;
    const end = at - more.length;
    if (value.length >= MIN_COOKIE_LENGTH && looksMade(value) && !isPlaceholder(value)) {
      secrets.push({ start: end - value.length, end, kind: 'cookie' });
    }
    if (header === 'set-cookie' || more === '') return { secrets, end: at };
  }
}

const looksMade = (value: string) => /[\d=+/]/.test(value) || wordiness(value) < 0;

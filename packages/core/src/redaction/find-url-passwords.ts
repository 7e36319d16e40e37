import { isPlaceholder } from './is-placeholder.js';
import { matchAt } from './match-at.js';
import type { SecretSpan } from './secret-span.js';

const WEB = /(?:https?|wss?|ftps?|sftp|ssh|git|svn)$/i;
const SCHEME = /[A-Za-z][A-Za-z0-9+.-]{1,30}$/;
const MAX_SCHEME_LENGTH = 32;

const WEB_PASSWORD = /:\/\/[^\s:@/"'`<>\\]{0,256}:([^\s/"'`<>\\]{1,512})@/y;
/**
 * Drivers take passwords with unescaped signs, so it goes up to the last `@` that a host follows. A port before a slash
 * tells that there is no password, another `://` that this address is over.
 */
const PASSWORD =
  /:\/\/[^\s:@/"'`<>\\]{0,256}:(?!\d{2,5}[/,?])((?:[^\s"'`<>\\:]|:(?!\/\/)){1,512})@(?=[\w.[-]{1,255}(?:[:/?,;\s"'`<>\\)]|$))/y;
/** A user without a password, as in `https://ghp_…@github.com`: a token if it is long and has digits. */
const TOKEN_AS_USER = /:\/\/((?=[^\s:@/]{0,40}\d)[\w.~%-]{20,256})@/y;

/** Passwords in `scheme://user:password@host`: of databases and queues (connection strings) and of web addresses. */
export function findUrlPasswords(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const password = urlPasswordAt(text, at);
    if (password !== undefined) found.push(password);
  }
  return found;
}

/** The password in the address whose `://` is here. */
export function urlPasswordAt(text: string, at: number): SecretSpan | undefined {
  const scheme = SCHEME.exec(text.slice(Math.max(0, at - MAX_SCHEME_LENGTH), at))?.[0];
  if (scheme === undefined) return undefined;
  const isWeb = WEB.test(scheme);
  const password = isWeb
    ? (groupAt(WEB_PASSWORD, text, at) ?? groupAt(TOKEN_AS_USER, text, at))
    : groupAt(PASSWORD, text, at);
  if (password === undefined || isPlaceholder(text.slice(password.start, password.end))) return undefined;
  return { ...password, kind: isWeb ? 'url-password' : 'connection-string-password' };
}

/** Where the group is, given that one character follows it. */
function groupAt(pattern: RegExp, text: string, at: number): { start: number; end: number } | undefined {
  const match = matchAt(pattern, text, at);
  if (match === undefined) return undefined;
  const end = at + match[0].length - 1;
  return { start: end - (match[1]?.length ?? 0), end };
}

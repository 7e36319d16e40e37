import type { IncomingMessage } from 'node:http';
import type { Refusal } from './create-http-server.js';

/** Styles are inline in xterm's DOM renderer: under `'self'` alone it is black on black. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': CSP,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Keeps other pages out, before any route. A rebound name reads with a GET that carries no Origin: only the list of hosts stops it. A
 * WebSocket has no such excuse: it must say where it comes from.
 */
export function createLoopbackGuard(port: () => number | undefined): (request: IncomingMessage) => Refusal | undefined {
  return ({ headers }) => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port()}`);
    const { host = '', origin } = headers;
    if (!hosts.includes(host)) return { status: 403, why: 'this host is not served' };
    const isSocket = headers.upgrade !== undefined;
    if (origin === undefined) return isSocket ? { status: 403, why: 'a WebSocket must say its origin' } : undefined;
    const isOwn = hosts.some((own) => origin === `http://${own}`);
    return isOwn ? undefined : { status: 403, why: 'this origin is not served' };
  };
}

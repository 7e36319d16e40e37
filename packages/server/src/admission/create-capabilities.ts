import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '@devs/api';
import type { Clock } from '@devs/core';
import type { Identity } from './identity.js';

const TOKEN_BYTES = 32;
const KEY_BYTES = 24;
const TOKEN_MS = 24 * 3_600_000;
const LINK_MS = 60_000;
const MOST_TOKENS = 10_000;
const MOST_LINKS = 100;

interface Granted {
  readonly token: string;
  readonly until: number;
}

/** Who may do what. Tokens and keys are kept as digests, in memory: a restart of the supervisor ends them all. */
export interface Capabilities {
  grant(identity: Identity): Granted;
  /** `undefined` for a token that is unknown or too old. */
  identify(token: string): Identity | undefined;
  /** For one login, within a minute. */
  makeLink(scope: 'owner' | 'viewer'): { readonly key: string; readonly until: number };
  /** `undefined` for a key that is unknown, used or too old. */
  useLink(key: string): (Granted & { readonly scope: 'owner' | 'viewer' }) | undefined;
}

export function createCapabilities(clock: Clock): Capabilities {
  const tokens = new Map<string, { readonly identity: Identity; readonly until: number }>();
  const links = new Map<string, { readonly scope: 'owner' | 'viewer'; readonly until: number }>();
  let logins = 0;
  const grant = (identity: Identity): Granted => {
    forgetOld(tokens, MOST_TOKENS, clock.now());
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const until = clock.now() + TOKEN_MS;
    tokens.set(digestOf(token), { identity, until });
    return { token, until };
  };
  return {
    grant,
    identify(token) {
      const found = tokens.get(digestOf(token));
      return found !== undefined && found.until > clock.now() ? found.identity : undefined;
    },
    makeLink(scope) {
      forgetOld(links, MOST_LINKS, clock.now());
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const until = clock.now() + LINK_MS;
      links.set(digestOf(key), { scope, until });
      return { key, until };
    },
    useLink(key) {
      const digest = digestOf(key);
      const link = links.get(digest);
      links.delete(digest);
      if (link === undefined || link.until <= clock.now()) return undefined;
      logins += 1;
      return { ...grant({ scope: link.scope, name: `page ${logins}` }), scope: link.scope };
    },
  };
}

/** Equal digests are found in a map: what is compared in public is no secret. */
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64');

function forgetOld(kept: Map<string, { readonly until: number }>, most: number, now: number): void {
  for (const [digest, { until }] of kept) if (until <= now) kept.delete(digest);
  if (kept.size >= most) throw new ApiError('too-many', 'there are too many capabilities; try again later');
}

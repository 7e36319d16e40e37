import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '@devs/api';
import type { Clock } from '@devs/core';
import type { Identity } from './identity.js';

const TOKEN_BYTES = 32;
const KEY_BYTES = 24;
const TOKEN_MS = 24 * 3_600_000;
const LINK_MS = 60_000;
const MAX_TOKENS = 10_000;
const MAX_LINKS = 100;

interface Granted {
  readonly token: string;
  readonly until: number;
}

/** A stored page token: its digest and its owner. */
export interface KeptToken {
  readonly digest: string;
  readonly scope: 'owner' | 'viewer';
  readonly name: string;
  readonly until: number;
}

/**
 * Stores page tokens beyond the life of the supervisor: an open page continues with the next one. Neither method
 * throws.
 */
export interface TokenKeeper {
  load(): readonly KeptToken[];
  save(tokens: readonly KeptToken[]): void;
}

/** Who may do what. Tokens and keys are held as digests; a restart of the supervisor ends all but those of pages. */
export interface Capabilities {
  grant(identity: Identity): Granted;
  /** `undefined` for a token that is unknown or too old. */
  identify(token: string): Identity | undefined;
  /** For one login, within a minute. */
  makeLink(scope: 'owner' | 'viewer'): { readonly key: string; readonly until: number };
  /** `undefined` for a key that is unknown, used or too old. */
  useLink(key: string): (Granted & { readonly scope: 'owner' | 'viewer' }) | undefined;
}

export function createCapabilities(clock: Clock, keeper?: TokenKeeper): Capabilities {
  const tokens = new Map<string, { readonly identity: Identity; readonly until: number }>();
  const pages = new Map<string, KeptToken>((keeper?.load() ?? []).map((kept) => [kept.digest, kept]));
  for (const { digest, scope, name, until } of pages.values()) tokens.set(digest, { identity: { scope, name }, until });
  const links = new Map<string, { readonly scope: 'owner' | 'viewer'; readonly until: number }>();
  let logins = 0;
  const grant = (identity: Identity): Granted => {
    forgetOld(tokens, MAX_TOKENS, clock.now());
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
      forgetOld(links, MAX_LINKS, clock.now());
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
      const { scope } = link;
      const name = `page ${logins}`;
      const granted = grant({ scope, name });
      const kept = { digest: digestOf(granted.token), scope, name, until: granted.until };
      pages.set(kept.digest, kept);
      keeper?.save([...pages.values()].filter(({ until }) => until > clock.now()));
      return { ...granted, scope };
    },
  };
}

/** A map lookup by digest: a timing attack on digests reveals no secret. */
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64');

function forgetOld(kept: Map<string, { readonly until: number }>, most: number, now: number): void {
  for (const [digest, { until }] of kept) if (until <= now) kept.delete(digest);
  if (kept.size >= most) throw new ApiError('too-many', 'there are too many capabilities; try again later');
}

import { StoreInputError } from '@devs/core';

/** Address, credentials and key prefix of a Redis server. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly db: number;
  /** What every key begins with. In braces, so that a cluster keeps all of them on one machine. */
  readonly keyPrefix: string;
}

const DEFAULT_PREFIX = 'devs:';
const PREFIX = /^[A-Za-z0-9._:-]{1,100}$/;
const ALLOWED = 'redis://[user:password@]host[:port][/database][?prefix=devs:], or rediss:// for TLS';

/** Reads `redis://` and `rediss://` addresses. No error repeats the address: it may hold a password. */
export function parseRedisUrl(url: string, prefix?: string): RedisAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['redis:', 'rediss:'].includes(parsed.protocol) || parsed.hash !== '') {
    throw new StoreInputError('store', `${ALLOWED}; special characters in a password are written as %XX`);
  }
  const unknown = [...parsed.searchParams.keys()].filter((name) => name !== 'prefix');
  if (unknown.length > 0) throw new StoreInputError('store', `${ALLOWED}; not ?${unknown.join(', ')}`);
  const db = parsed.pathname.replace(/^\//, '');
  if (!/^\d{0,4}$/.test(db)) throw new StoreInputError('store', `${ALLOWED}; the database is a number`);

  const username = decode(parsed.username);
  const password = decode(parsed.password);
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: Number(parsed.port || 6379),
    isTls: parsed.protocol === 'rediss:',
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    db: Number(db),
    keyPrefix: hashTagged(prefix ?? parsed.searchParams.get('prefix') ?? DEFAULT_PREFIX),
  };
}

/** For people: the address without user and password. */
export const describeAddress = ({ isTls, host, port, db }: RedisAddress) =>
  `${isTls ? 'rediss' : 'redis'}://${host.includes(':') ? `[${host}]` : host}:${port}${db === 0 ? '' : `/${db}`}`;

function hashTagged(prefix: string): string {
  if (!PREFIX.test(prefix)) {
    throw new StoreInputError('key prefix', '1 to 100 letters, digits, ".", "_", "-" and ":", e.g. "devs:"');
  }
  return `{${prefix.replace(/:$/, '')}}:`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreInputError('store', `${ALLOWED}; a "%" in a user name or password is written as %25`);
  }
}

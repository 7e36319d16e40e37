import { type DevsError, StoreReplacedError, StoreUnavailableError } from '@devs/core';
import { ReplyError } from 'ioredis';
import { describeAddress, type RedisAddress } from './parse-redis-url.js';
import { REPLACED } from './redis-script.js';

/**
 * - `refused`: retrying does not help; a person has to change something.
 * - `busy`: the server is reachable and asks for patience.
 * - `gone`: no reachable server, at least for now.
 */
type RedisFailure = 'refused' | 'busy' | 'gone';

const BUSY = /^(LOADING|BUSY|TRYAGAIN|MASTERDOWN|CLUSTERDOWN)\b/;
/** Mistakes in the address when a connection is made for the first time; later, a server that is being moved. */
const HOPELESS_AT_FIRST = /ENOTFOUND|ERR_SSL|EPROTO|SELF_SIGNED|UNABLE_TO_|CERT_|ALTNAME|Protocol error/;

export function classifyRedisError(error: unknown, { isFirst }: { readonly isFirst: boolean }): RedisFailure {
  const text = textOf(error);
  // `ReplyError` comes from the server; every other error happened on the way to it.
  if (error instanceof ReplyError) return BUSY.test(text) ? 'busy' : 'refused';
  return isFirst && HOPELESS_AT_FIRST.test(text) ? 'refused' : 'gone';
}

/** Explains the problem and the remedy, without any sent data: that may contain the password. */
export function explainRedisError(error: unknown, address: RedisAddress): DevsError {
  const where = describeAddress(address);
  const text = withoutPassword(textOf(error), address);
  if (text.startsWith(REPLACED)) return storeReplaced(address);
  const advice = ADVICE.find(([pattern]) => pattern.test(text))?.[1];
  const message = advice === undefined ? `Redis at ${where} cannot be used: ${text}` : advice(where, text);
  return new StoreUnavailableError(message, { cause: new Error(text) });
}

export const storeReplaced = (address: RedisAddress) =>
  new StoreReplacedError(
    `Redis at ${describeAddress(address)} no longer holds the store that was under ${address.keyPrefix}: it was emptied (FLUSHALL, an empty replica) or replaced. Nothing is written to it. Restore the server's data, then try again.`,
  );

type Advice = readonly [pattern: RegExp, explain: (where: string, text: string) => string];

const ADVICE: readonly Advice[] = [
  [/WRONGPASS|invalid password/, (where) => `Redis at ${where} refuses the user or password; check the address`],
  [/NOAUTH/, (where) => `Redis at ${where} wants a password; write redis://user:password@host`],
  [
    /NOPERM/,
    (where, text) =>
      `Redis at ${where} does not let this user do what devs needs (${text}); allow the keys {prefix}:* and the commands @read @write @scripting +info +time +select +quit`,
  ],
  [/READONLY/, (where) => `Redis at ${where} is a read-only replica; give the address of its primary`],
  [
    /\bOOM\b/,
    (where) => `Redis at ${where} has used all of its memory (maxmemory); raise maxmemory or remove what is not needed`,
  ],
  [
    /MISCONF/,
    (where) =>
      `Redis at ${where} cannot write to its disk and takes no changes; look at its log, often the disk is full`,
  ],
  [/DB index is out of range/, (where) => `Redis at ${where} has no such database; use a lower number after the "/"`],
  [/ENOTFOUND|EAI_AGAIN/, (where) => `there is no host of that name (${where}); check the address`],
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_|ALTNAME/,
    (where, text) =>
      `the TLS certificate of Redis at ${where} is not trusted (${text}); set NODE_EXTRA_CA_CERTS to the file of its authority`,
  ],
  [
    /ERR_SSL|EPROTO|SSL routines/,
    (where) => `Redis at ${where} does not answer with TLS; write redis:// if it has no TLS, or check the port`,
  ],
  [
    /Protocol error/,
    (where) => `what answers at ${where} does not speak plain Redis; if it uses TLS write rediss://, or check the port`,
  ],
  [
    /ECONNRESET|EPIPE|Connection is closed|retries per request/,
    (where) => `Redis at ${where} breaks the connection off; look at its log, and if it uses TLS write rediss://`,
  ],
  [/ETIMEDOUT|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|no answer/, nobodyAnswers],
];

function nobodyAnswers(where: string): string {
  const withTls = where.startsWith('rediss:') ? ' with TLS' : '';
  const orPlain = withTls === '' ? '' : ', or write redis:// if it has no TLS';
  return `no Redis answers${withTls} at ${where}; start it, or check the address${orPlain}`;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message.includes(code) ? error.message : `${code} ${error.message}`;
}

const withoutPassword = (text: string, { password }: RedisAddress) =>
  password === undefined ? text : text.replaceAll(password, '***');

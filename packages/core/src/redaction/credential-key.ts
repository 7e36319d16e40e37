import { KEYED_FORMATS } from './secret-formats.js';

/** How surely a key names a secret: what `password` holds is one, what `token` holds is one if it looks like it. */
export type KeyStrength = 'sure' | 'maybe' | 'no';

export interface CredentialKey {
  readonly name: string;
  /** The name as `lower_case_words`. */
  readonly words: string;
  readonly strength: KeyStrength;
  readonly header: 'authorization' | 'cookie' | 'set-cookie' | undefined;
  /** Neither it nor any format makes a secret of what it holds. */
  readonly isOrdinary: boolean;
}

export function judgeKey(name: string): CredentialKey {
  if (name.includes('[redacted:')) return { ...ORDINARY_KEY, name };
  const words = wordsOf(name.slice(-MAX_JUDGED_LENGTH));
  const strength = strengthOf(name, words);
  const header = headerOf(words);
  const isOrdinary =
    strength === 'no' && header === undefined && !KEYED_FORMATS.some((format) => format.key.test(words));
  return { name, words, strength, header, isOrdinary };
}

const ORDINARY_KEY = { words: '', strength: 'no', header: undefined, isOrdinary: true } as const;

/** A key ends with what says that it is one. */
const MAX_JUDGED_LENGTH = 128;

/** `X-Api-Key`, `apiKey` and `API_KEY` are `x_api_key` or `api_key`. */
const wordsOf = (key: string): string =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();

function strengthOf(key: string, words: string): KeyStrength {
  if (key === 'PASS') return 'no'; // what test runners print in front of names
  const name = words.replace(SUFFIX, '');
  if (SURE.test(name)) return 'sure';
  return MAYBE.test(name) && !ORDINARY_TOKEN.test(name) ? 'maybe' : 'no';
}

function headerOf(words: string): CredentialKey['header'] {
  if (/(?:^|_)authorization$/.test(words)) return 'authorization';
  if (words === 'cookie') return 'cookie';
  return words === 'set_cookie' ? 'set-cookie' : undefined;
}

const SURE =
  /(?:^|_)(?:(?:pg|mysql|db|redis|ssh|my)?pass(?:word|wd|phrase|code|wort)s?|[a-z0-9]+_pass|passw|pwd|secrets?|api_?keys?|(?:access|secret|private|signing|encryption|decryption|master|auth|account|storage|license|service|shared_access|deploy|webhook|subscription|session|consumer|app|application|admin|publish|write|hmac|aes|jwt|rsa|ssh)_keys?)$/;
const MAYBE = /(?:^|_)(?:[a-z]{0,12}token|auth|pass|pw|pat|credentials?|bearer|jwt)$/;

/** Tokens of parsers, pages and models. */
const ORDINARY_TOKEN =
  /(?:^|_)(?:next|page|continuation|sync|eos|bos|pad|unk|mask|stop|start|end|special|cancel(?:lation)?|current|last|first|prev(?:ious)?|peek|syntax|lookahead|open|close|closing|opening|keyword|operator|question|colon|equals?|modifier|per|valid|significant|template|jsx|string|number)_token$/;

/** `DB_PASSWORD_PROD`, `apiKey2`, `client_secret_value` are still the same secret. */
const SUFFIX =
  /(?:_(?:value|prod|production|dev|development|staging|stage|live|test|main|old|new|primary|secondary|base64|b64|raw|plain|text|\d{1,2})|\d{1,2})$/;

import { judgeKey, type KeyStrength } from './credential-key.js';
import { isPlaceholder } from './is-placeholder.js';
import { wordiness } from './wordiness.js';

const MIN_CREDENTIAL_LENGTH = 6;
const MAX_JUDGED_LENGTH = 4096;
const RANDOM_BELOW = -0.2;

/** Whether a literal value (in quotes, in JSON, in a line of `.env`) is the secret named by its key. */
export function looksLikeCredential(value: string, strength: KeyStrength): boolean {
  if (strength === 'no' || value.length < MIN_CREDENTIAL_LENGTH || /\s/.test(value)) return false;
  if (value.length > MAX_JUDGED_LENGTH) return strength === 'sure';
  if (isPlaceholder(value) || namesSomething(value)) return false;
  return strength === 'sure' || (looksMade(value) && !/["{}]|^\d+$/.test(value));
}

/** Whether a value without quotes is a secret, and not a type, a variable or a call: code assigns to such names, too. */
export function looksLikeBareCredential(value: string, strength: KeyStrength): boolean {
  if (!looksLikeCredential(value, strength) || looksLikeCode(value)) return false;
  return looksMade(value) || (strength === 'sure' && /[^\w.$-]/.test(value));
}

/** Digits that no technical name has, or letters in an order that no word has. */
const looksMade = (value: string) =>
  (/\d/.test(value) && /\d/.test(value.replace(TECHNICAL, ''))) || wordiness(value) < RANDOM_BELOW;

const TECHNICAL =
  /ed25519|x25519|secp256k1|sha\d{1,3}|base(?:32|58|64)|utf8|x509|aes\d{0,3}|md5|u?int\d{1,2}|float\d\d|argon2|pbkdf2|oauth2|http2|ipv[46]/gi;

/** The name of a header or field (`x-api-key`), an address, or a path: where a secret is, not the secret. */
function namesSomething(value: string): boolean {
  if (/^[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\//.test(value)) return true;
  if (/^[~.]{0,2}\//.test(value)) return wordiness(value) > RANDOM_BELOW;
  return /^[A-Za-z_][A-Za-z_.-]*$/.test(value) && judgeKey(value).strength !== 'no';
}

const MEMBER_OR_CALL = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$#][\w$]*|::\w+|->\w+|!)*[([;]?/;

function looksLikeCode(value: string): boolean {
  if (/^[!&*][A-Za-z_]/.test(value) && wordiness(value) > 0) return true; // an alias or tag of YAML
  const chain = MEMBER_OR_CALL.exec(value)?.[0] ?? '';
  if (/[([]$/.test(chain)) return true;
  if (chain.length < value.replace(/[;,)\]}]{1,8}$/, '').length) return false;
  if (/^[A-Za-z_$]+\d?$/.test(chain) && /token|secret|key|pass|auth/i.test(chain)) return true;
  return chain.includes('.') && chain.split(/[._$?!]+/).every((word) => /^(?:[A-Za-z]{2,})?\d{0,2}$/.test(word));
}

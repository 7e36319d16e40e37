import type { CredentialKey } from './credential-key.js';
import { isPassphrase } from './is-passphrase.js';
import { looksLikeBareCredential, looksLikeCredential } from './looks-like-credential.js';
import { KEYED_FORMATS } from './secret-formats.js';

/** What kind of secret a value is because of the key it is given to, or nothing where it is none. */
export function assignedKind(
  { words, strength }: CredentialKey,
  value: string,
  { isBare }: { readonly isBare: boolean } = { isBare: false },
): string | undefined {
  const keyed = KEYED_FORMATS.find((format) => format.key.test(words) && format.value.test(value));
  if (keyed !== undefined) return keyed.kind;
  if (!isBare && strength === 'sure' && namesPassword(words) && isPassphrase(value)) return 'password';
  const isCredential = isBare ? looksLikeBareCredential : looksLikeCredential;
  if (!isCredential(value, strength)) return undefined;
  return credentialKind(words);
}

/** A secret or key may well be the name of one: `secret: my-tls-certificate`. A password is not. */
export const namesPassword = (words: string) => /pass|pwd/.test(words);

/** By the name of the key alone, as `lower_case_words`. */
export const credentialKind = (words: string) => (/pass|pwd|pw$/.test(words) ? 'password' : 'credential');

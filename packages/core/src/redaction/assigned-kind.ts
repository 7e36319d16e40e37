import type { CredentialKey } from './credential-key.js';
import { looksLikeCredential } from './looks-like-credential.js';
import { KEYED_FORMATS } from './secret-formats.js';

/** What kind of secret a value is because of the key it is given to, or nothing where it is none. */
export function assignedKind(
  { words, strength }: CredentialKey,
  value: string,
  isCredential = looksLikeCredential,
): string | undefined {
  const keyed = KEYED_FORMATS.find((format) => format.key.test(words) && format.value.test(value));
  if (keyed !== undefined) return keyed.kind;
  if (!isCredential(value, strength)) return undefined;
  return credentialKind(words);
}

/** By the name of the key alone, as `lower_case_words`. */
export const credentialKind = (words: string) => (/pass|pwd|pw$/.test(words) ? 'password' : 'credential');

import { findFormats } from './find-formats.js';
import { findPrivateKeys } from './find-private-keys.js';

/**
 * Whether a text holds a private key or a token that is known by its beginning. Finds less than `redactText` and is hardly
 * ever wrong: for deciding about a whole file, where a false alarm costs the file.
 */
export function holdsKnownSecret(text: string): boolean {
  return findPrivateKeys(text).length > 0 || findFormats(text).length > 0;
}

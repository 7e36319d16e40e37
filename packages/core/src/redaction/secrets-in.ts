import { mayHoldSecret } from './may-hold-secret.js';
import { findSecrets } from './redact-text.js';

/** The secrets in a text, as `redactText` finds them: for a decision about a whole file, which is kept or not. */
export const secretsIn = (text: string): readonly string[] =>
  mayHoldSecret(text) ? findSecrets(text).map(({ start, end }) => text.slice(start, end)) : [];

import { thoseThatMayHoldSecrets } from '../redaction/may-hold-secret.js';
import { redactText } from '../redaction/redact-text.js';
import { stripTerminal } from './strip-terminal.js';

/**
 * Text that anybody may see. A part of it may be shown by itself; a part of another text may not, as a secret that is torn
 * from its name cannot be told from a word.
 */
export type SafeText = string & { readonly safe: unique symbol };

export const safeText = (text: string): SafeText => redactText(stripTerminal(text)) as SafeText;

/** The same for many short texts. Nearly all hold no secret. */
export function safeTexts(texts: readonly string[]): readonly SafeText[] {
  const stripped = texts.map(stripTerminal);
  const isSuspect = thoseThatMayHoldSecrets(stripped);
  return stripped.map((text, nth) => (isSuspect.has(nth) ? redactText(text) : text) as SafeText);
}

import type { SecretSpan } from './secret-span.js';

const BEGIN = '[redacted:';
const PLACEHOLDER = /\[redacted:[a-z0-9-]{2,40}\]/g;

/** What stands in a text instead of a secret of this kind. */
export const placeholderFor = (kind: string) => `${BEGIN}${kind}]`;

/** Whether what begins here is the kind in a placeholder, and not a key. */
export const isKindOfPlaceholder = (text: string, at: number) => text.startsWith(BEGIN, at - BEGIN.length);

/** The spans without the placeholders in them: those are not secret, and stay unchanged. */
export function outsidePlaceholders(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  if (!text.includes(BEGIN)) return [...spans];
  return spans.flatMap(({ start, end, kind }) => {
    const parts: SecretSpan[] = [];
    // A placeholder that reaches into the span begins at most this far before it.
    const before = text.lastIndexOf(BEGIN, start);
    const from = before !== -1 && before > start - 64 ? before : start;
    let at = start;
    for (const { index, 0: placeholder } of text.slice(from, end + 64).matchAll(PLACEHOLDER)) {
      if (from + index >= end) break;
      if (from + index > at) parts.push({ start: at, end: from + index, kind });
      at = Math.max(at, from + index + placeholder.length);
    }
    if (at < end) parts.push({ start: at, end, kind });
    return parts;
  });
}

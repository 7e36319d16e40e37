import { type JsonScan, JsonScanner } from './json-scanner.js';

/** One pass over a whole text; for text that arrives in pieces, use `JsonScanner` itself. */
export function scanJson(text: string, options: { readonly stopReason?: string | undefined } = {}): JsonScan {
  const scanner = new JsonScanner();
  scanner.write(text);
  return scanner.end(options);
}

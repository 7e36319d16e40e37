import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A program of these tests: in one file where `run-tests.mjs` has bundled it, which starts three times faster. */
export function programPath(name: string, source: URL): string {
  const bundled = new URL(`../../dist/fixtures/${name}.mjs`, import.meta.url);
  return fileURLToPath(existsSync(bundled) ? bundled : source);
}

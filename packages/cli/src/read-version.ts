import { readFileSync } from 'node:fs';

/** The version of this package; its package.json is one folder above `src/` as above `dist/`. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

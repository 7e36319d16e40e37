import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptToken, TokenKeeper } from './create-capabilities.js';

const FILE = 'pages.json';

/** In a file of the user's alone. Digests only: who reads it cannot sign in. */
export function keepTokens(folder: string): TokenKeeper {
  const path = join(folder, FILE);
  return {
    load() {
      try {
        const tokens: unknown = JSON.parse(readFileSync(path, 'utf8'));
        return Array.isArray(tokens) ? tokens.filter(isKept) : [];
      } catch {
        return []; // none yet, or not ours
      }
    },
    save(tokens) {
      try {
        writeFileSync(path, `${JSON.stringify(tokens)}\n`, { mode: 0o600 });
      } catch {
        // pages have to sign in again after a restart
      }
    },
  };
}

function isKept(value: unknown): value is KeptToken {
  const { digest, scope, name, until } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isScope = scope === 'owner' || scope === 'viewer';
  return typeof digest === 'string' && isScope && typeof name === 'string' && typeof until === 'number';
}

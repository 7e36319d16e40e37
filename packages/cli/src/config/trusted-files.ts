import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Which settings that came with a repository the user has seen and wants: by their text, so that others are asked about anew. */
export interface TrustedFiles {
  has(path: string, text: string): boolean;
  add(path: string, text: string): void;
}

/** `file`: where they are kept, in the user's own state. */
export function openTrustedFiles(file: string): TrustedFiles {
  return {
    has: (path, text) => read(file)[path] === digestOf(text),
    add(path, text) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify({ ...read(file), [path]: digestOf(text) }, null, 2)}\n`, { mode: 0o600 });
      chmodSync(draft, 0o600);
      renameSync(draft, file); // nobody ever reads half of it
    },
  };
}

function read(file: string): Readonly<Record<string, unknown>> {
  try {
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : {};
  } catch {
    return {}; // none yet, or nothing that could be trusted
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

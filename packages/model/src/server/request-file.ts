import { closeSync, openSync, writeSync } from 'node:fs';
import type { Body } from '../apis/api-format.js';
import type { RecordedRequest } from './recorded-request.js';

/** Prompts are nobody else's business. */
const FOR_THE_USER_ALONE = 0o600;

/** One line of JSON for each request, behind what the file holds. Whole lines in order: written at once. */
export function openRequestFile(path: string): { write(request: RecordedRequest, body: Body): void; close(): void } {
  const file = openSync(path, 'a', FOR_THE_USER_ALONE);
  return {
    write({ number, at, path: url, api, model, purpose, source, reply }, body) {
      writeSync(file, `${JSON.stringify({ number, at, path: url, api, model, purpose, source, reply, body })}\n`);
    },
    close: () => closeSync(file),
  };
}

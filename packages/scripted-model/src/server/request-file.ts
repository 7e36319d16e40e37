import { closeSync, openSync, writeSync } from 'node:fs';
import type { Body } from '../apis/api-format.js';
import type { RecordedRequest } from './recorded-request.js';

/** Prompts are private to the user. */
const FOR_THE_USER_ALONE = 0o600;

/** Appends one line of JSON for each request. Each line is written at once, in order. */
export function openRequestFile(path: string): { write(request: RecordedRequest, body: Body): void; close(): void } {
  const file = openSync(path, 'a', FOR_THE_USER_ALONE);
  return {
    write({ number, at, path: url, api, model, purpose, source, reply }, body) {
      writeSync(file, `${JSON.stringify({ number, at, path: url, api, model, purpose, source, reply, body })}\n`);
    },
    close: () => closeSync(file),
  };
}

// What the programs beside this one share. They run on plain node, so they take what was built.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openStore } from '@devs/core';
import { openSqliteBackend } from '../../../../dist/sqlite/open-sqlite-backend.js';

/** @param {string} file */
export function openScratchStore(file) {
  const backend = openSqliteBackend({ file });
  return { backend, store: openStore({ backend, clock: Date, newId: randomUUID }) };
}

/** At once, or a kill would take what was acknowledged with it. @param {unknown} value */
export const say = (value) => void writeSync(1, `${JSON.stringify(value)}\n`);

/** @param {string} text */
export const note = (text) => ({ type: 'note.written', data: { text } });

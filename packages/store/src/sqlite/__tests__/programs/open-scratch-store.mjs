// Shared by the programs beside this one. They run on plain node, so they import the built files.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openStore } from '@devs/core';
import { openSqliteBackend } from '../../../../dist/sqlite/open-sqlite-backend.js';

/** @param {string} file */
export function openScratchStore(file) {
  const backend = openSqliteBackend({ file });
  return { backend, store: openStore({ backend, clock: Date, newId: randomUUID }) };
}

/** Synchronous: a kill must not lose an acknowledged line. @param {unknown} value */
export const say = (value) => void writeSync(1, `${JSON.stringify(value)}\n`);

/** @param {string} text */
export const note = (text) => ({ type: 'note.written', data: { text } });

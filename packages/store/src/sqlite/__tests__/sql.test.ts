import { expect, it, onTestFinished } from 'vitest';
import { openSql, type Sql } from '../sql.js';
import { scratchFile } from './scratch.js';

function open(file: string): Sql {
  const sql = openSql(file, { busyMs: 1 });
  onTestFinished(() => sql.close());
  return sql;
}

function openTwo(): { readonly ours: Sql; readonly neighbour: Sql } {
  const file = scratchFile();
  const neighbour = open(file);
  neighbour.query('PRAGMA journal_mode = WAL').first();
  neighbour.exec('CREATE TABLE notes (text TEXT)');
  return { ours: open(file), neighbour };
}

const BUSY = expect.objectContaining({ code: 'SQLITE_BUSY' });

it('[R1] a write of one statement that finds the file busy costs one connection, however often it is tried', () => {
  const { ours, neighbour } = openTwo();
  const add = ours.query('INSERT INTO notes VALUES (?)');
  neighbour.exec('BEGIN IMMEDIATE');
  for (let time = 0; time < 5; time++) expect(() => add.runAlone('ours')).toThrow(BUSY);
  neighbour.exec(`INSERT INTO notes VALUES ('theirs'); COMMIT`);
  expect(add.runAlone('ours')).toEqual({ changes: 1, lastRow: 2 });
  expect(ours.generation()).toBe(1);
  expect(ours.query('SELECT text FROM notes').all()).toEqual([['theirs'], ['ours']]);
});

it('[R1] a write of one statement costs no connection soon after a transaction found the file busy', () => {
  const { ours, neighbour } = openTwo();
  neighbour.exec('BEGIN IMMEDIATE');
  expect(() => ours.transaction(() => {})).toThrow(BUSY);
  expect(() => ours.query('INSERT INTO notes VALUES (?)').runAlone('ours')).toThrow(BUSY);
  neighbour.exec('COMMIT');
  expect(ours.generation()).toBe(0);
});

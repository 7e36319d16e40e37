// FILE MS COUNT: holds a write to the file for so long, and again, COUNT times; says when it holds the first.
import { setTimeout as pause } from 'node:timers/promises';
import { openSql } from '../../../../dist/sqlite/sql.js';
import { say } from './open-scratch-store.mjs';

const [file = '', ms = '0', count = '1'] = process.argv.slice(2);
const sql = openSql(file, { busyMs: 10_000 });
for (let held = 0; held < Number(count); held++) {
  sql.exec('BEGIN IMMEDIATE');
  sql.exec(`INSERT OR REPLACE INTO facts VALUES ('neighbour', '${held}')`);
  if (held === 0) say('held');
  await pause(Number(ms));
  sql.exec('COMMIT');
}
sql.close();

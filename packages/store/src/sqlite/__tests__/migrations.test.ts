import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate, type Schema } from '../migrations.js';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { STORE_SCHEMA } from '../schema.js';
import { openSql, type Sql } from '../sql.js';
import { scratchFile } from './scratch.js';

const step = (sql: string, needsDevs = '1.0.0') => ({ sql, needsDevs });
const schema = (...migrations: Schema['migrations']): Schema => ({ applicationId: 77, migrations });
const FIRST = step('CREATE TABLE one (a)');
const SECOND = step(`ALTER TABLE one ADD COLUMN b DEFAULT 'new'`, '2.0.0');
const THIRD = step('CREATE TABLE three AS SELECT a, b FROM one', '3.0.0');

const open = (file: string) => openSql(file, { busyMs: 1_000 });
const versionOf = (sql: Sql) => sql.query('PRAGMA user_version').first()?.[0];

describe('migrations', () => {
  it("run in order, from the file's version, and keep its content", () => {
    const file = scratchFile();
    const sql = open(file);
    migrate(sql, file, schema(FIRST));
    sql.exec(`INSERT INTO one VALUES ('old')`);
    migrate(sql, file, schema(FIRST, SECOND, THIRD));
    expect(versionOf(sql)).toBe(3);
    expect(sql.query('SELECT a, b FROM three').all()).toEqual([['old', 'new']]);
    sql.close();
  });

  it('run whole or not at all', () => {
    const file = scratchFile();
    const sql = open(file);
    migrate(sql, file, schema(FIRST));
    expect(() => migrate(sql, file, schema(FIRST, SECOND, step('CREATE NONSENSE')))).toThrow();
    expect([versionOf(sql), sql.query('SELECT * FROM pragma_table_info(?)').all('one').length]).toEqual([1, 1]);
    migrate(sql, file, schema(FIRST, SECOND));
    expect(versionOf(sql)).toBe(2);
    sql.close();
  });

  it('run once when several connections begin them at the same time', () => {
    const file = scratchFile();
    const [winner, loser] = [open(file), open(file)];
    const counting = schema(FIRST, step('INSERT INTO one VALUES (1)'));
    // The loser has seen version 0 when the winner comes in between: here, by the check that comes first.
    const raced: Sql = {
      ...loser,
      transaction(work) {
        migrate(winner, file, counting);
        return loser.transaction(work);
      },
    };
    migrate(raced, file, counting);
    expect(loser.query('SELECT count(*) FROM one').first()).toEqual([1]);
    winner.close();
    loser.close();
  });

  it('bring a store of every earlier version to this one, with all that is in it', async () => {
    for (let version = 1; version < STORE_SCHEMA.migrations.length; version++) {
      const file = scratchFile();
      const sql = open(file);
      migrate(sql, file, { ...STORE_SCHEMA, migrations: STORE_SCHEMA.migrations.slice(0, version) });
      sql.exec(`INSERT INTO events VALUES (1, 'run:a', 1, 'note.written', 7, '{"text":"old"}', 'c')`);
      sql.close();

      const backend = openSqliteBackend({ file });
      onTestFinished(() => backend.close());
      expect(await backend.read({ after: 0, limit: 9 })).toEqual([
        { position: 1, stream: 'run:a', version: 1, type: 'note.written', at: 7, data: { text: 'old' } },
      ]);
      const after = { name: 'run:a', by: 'anna', fence: 1, until: 9, revision: 'one' };
      expect(await backend.swapLease({ expectedRevision: undefined, after })).toBe(true);
    }
  });

  it('leave a newer file alone, and say which devs it needs', () => {
    const file = scratchFile();
    const newer = {
      ...STORE_SCHEMA,
      migrations: [...STORE_SCHEMA.migrations, step('CREATE TABLE later (a)', '7.8.9')],
    };
    const sql = open(file);
    migrate(sql, file, newer);
    expect(() => openSqliteBackend({ file })).toThrow(
      /has store version 5.*knows versions up to 4\. Update devs to 7\.8\.9 or newer, or choose/,
    );
    expect(versionOf(sql)).toBe(STORE_SCHEMA.migrations.length + 1);
    sql.close();
  });

  it('report version 999 truthfully: no known devs can read it', async () => {
    const file = scratchFile();
    await openSqliteBackend({ file }).close();
    const sql = open(file);
    sql.exec('PRAGMA user_version = 999');
    expect(() => openSqliteBackend({ file })).toThrow(
      `${file} has store version 999, and this devs knows versions up to ${STORE_SCHEMA.migrations.length}. Update devs, or choose another file with --store sqlite:FILE.`,
    );
    sql.close();
  });

  it('leave the database of another program alone', () => {
    const file = scratchFile();
    const sql = open(file);
    sql.exec('CREATE TABLE theirs (a)');
    expect(() => openSqliteBackend({ file })).toThrow(/database of another program.*--store/);
    expect(sql.query('PRAGMA journal_mode').first()).toEqual(['delete']);
    sql.close();
  });
});

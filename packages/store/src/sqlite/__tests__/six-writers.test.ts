import { rounds } from '@devs/core/testing';
import { expect, it } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { expectConsistent } from './expect-consistent.js';
import { runProgram } from './run-program.js';
import { scratchFile } from './scratch.js';

/** Of each kind, by each writer. */
const TIMES = rounds(40);
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

interface Said {
  readonly appends: number;
  readonly renewals: number;
  readonly tasks: number;
  readonly errors: readonly string[];
}

it('[R1] six processes append, renew and work through tasks on one file without an error or a lost append', async () => {
  const file = scratchFile();
  const said = await Promise.all(NAMES.map((name) => runProgram<Said>('write-at-once', [file, name, String(TIMES)])));
  expect(said.flatMap(({ errors }) => errors)).toEqual([]);
  for (const { appends, renewals, tasks } of said) {
    expect({ appends, renewals, tasks }).toEqual({ appends: TIMES, renewals: TIMES, tasks: TIMES });
  }
  const backend = openSqliteBackend({ file });
  const notes = (await expectConsistent(backend)).flatMap(({ type, data }) =>
    type === 'note.written' ? [data['text']] : [],
  );
  const acknowledged = said.flatMap(({ appends }, writer) =>
    Array.from({ length: appends }, (_, index) => `${NAMES[writer]}/${index}`),
  );
  expect([...notes].sort()).toEqual(acknowledged.sort());
  expect((await backend.listTasks({ statuses: ['done'], limit: 1 })).total).toBe(
    said.reduce((total, { tasks }) => total + tasks, 0),
  );
  await backend.close();
});

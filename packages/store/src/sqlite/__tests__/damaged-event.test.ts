import { randomUUID } from 'node:crypto';
import { openStore } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { openSql } from '../sql.js';
import { scratchFile } from './scratch.js';

const note = (text: string) => ({ type: 'note.written', data: { text } });

async function storeWith(damage: string) {
  const file = scratchFile();
  const open = () => {
    const backend = openSqliteBackend({ file });
    onTestFinished(() => backend.close());
    return openStore({ backend, clock: Date, newId: randomUUID });
  };
  const store = open();
  await store.log.append('run:a', 0, [note('one'), note('two'), note('three')]);
  await store.tasks.add([{ id: 'a', intent: 'do it' }]);
  await store.state();
  const sql = openSql(file, { busyMs: 1_000 });
  sql.exec(damage);
  sql.close();
  return open();
}

describe('one damaged record', () => {
  it.each(['{"text":"tw', '', '5', 'null', '[1]'])('is named with its position and stream: %s', async (data) => {
    const { log } = await storeWith(`UPDATE events SET data = '${data}' WHERE position = 2`);
    await expect(log.read()).rejects.toMatchObject({
      code: 'EVENT_DAMAGED',
      position: 2,
      stream: 'run:a',
      message: expect.stringMatching(
        /position 2 \(run:a\) is damaged\. Save all others with `devs debug export FILE --skip-damaged`/,
      ),
    });
    expect((await log.read({ after: 2 })).map(({ position }) => position)).toEqual([3, 4]);
  });

  it('does not appear in the message, which may be shown to others', async () => {
    const { log } = await storeWith(`UPDATE events SET data = '{"text":"hush-hush' WHERE position = 2`);
    const error = await log.read().catch((caught: unknown) => caught);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hush');
  });

  it('of a task is named, with the way to make it again', async () => {
    const { tasks } = await storeWith(`UPDATE tasks SET record = '{' WHERE id = 'a'`);
    await expect(tasks.list({ limit: 9 })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/record of a task is damaged\. Make it again from the log/),
    });
  });

  it('of a snapshot does not matter: it is made again', async () => {
    const store = await storeWith(`UPDATE snapshots SET state = '{'`);
    expect((await store.state()).position).toBe(4);
  });
});

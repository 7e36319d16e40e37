// The writer of `bench/store.ts`: appends events that say when they were stored, some milliseconds apart.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '@devs/core';
import { openSqliteBackend } from '@devs/store';

const [file = '', count = '0'] = process.argv.slice(2);
const store = openStore({ backend: openSqliteBackend({ file }), clock: Date, newId: randomUUID });
for (let version = 0; version < Number(count); version++) {
  await pause(5 + Math.random() * 60);
  const sentAt = performance.timeOrigin + performance.now();
  await store.log.append('bench:following', version, [{ type: 'note.written', data: { sentAt } }]);
}
await store.close();

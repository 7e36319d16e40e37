// Writes through its own store until it is killed or has appended the requested number of times. Prints a line for each
// change after, and only after, the store has acknowledged it.
//
// node writer.mjs '{"url":…,"name":…,"stream":…,"appends":…}'
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openStore } from '@devs/core';
import { openRedisBackend } from '../../../dist/index.js';

const { url, name, stream, appends = Number.POSITIVE_INFINITY } = JSON.parse(process.argv[2]);
const store = openStore({ backend: await openRedisBackend({ url }), clock: { now: Date.now }, newId: randomUUID });
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

for (let count = 0; count < appends; count++) {
  await append(`${name} wrote ${count}`);
  if (appends === Number.POSITIVE_INFINITY) await work(count);
}
await store.close();

async function append(text) {
  for (;;) {
    const expected = await store.log.version(stream);
    const result = await store.log.append(stream, expected, [{ type: 'note.written', data: { text } }]);
    if (result.status === 'appended') return say({ text, position: result.position });
    say({ conflict: result.version });
  }
}

async function work(count) {
  const id = `${name}-${count}`;
  const before = `${name}-${count - 1}`;
  await store.tasks.add([
    { id, intent: `do ${count}`, priority: count % 3 },
    { id: `${id}-after`, intent: 'tidy up', depends_on: count % 2 === 0 ? [id] : [id, `${before}-after`] },
  ]);
  say({ task: id, type: 'task.added' });
  const claim = await store.tasks.claim({ by: name, leaseMs: 60_000, id });
  say({ task: id, type: 'task.claimed' });
  await store.tasks.heartbeat({ id, fence: claim.fence, leaseMs: 90_000 });
  const held = { id, fence: claim.fence };
  if (count % 5 === 1) await store.tasks.fail({ ...held, reason: 'no luck' });
  else if (count % 5 === 2) await store.tasks.block({ ...held, reason: 'no key' });
  else await store.tasks.complete({ ...held, result: `result ${count}` });
  say({ task: id, type: count % 5 === 1 ? 'task.failed' : count % 5 === 2 ? 'task.blocked' : 'task.completed' });
  if (count % 4 === 3) await store.tasks.retry(id);
  if (count % 10 === 9) await store.state();
}

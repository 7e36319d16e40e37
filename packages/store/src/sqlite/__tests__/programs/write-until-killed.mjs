// FILE NAME: changes events and tasks forever, and prints each acknowledged commit.
import { note, openScratchStore, say } from './open-scratch-store.mjs';

const [file = '', name = ''] = process.argv.slice(2);
const { store } = openScratchStore(file);
const stream = `run:${name}`;

for (let version = 0; ; ) {
  const events = Array.from({ length: 1 + (version % 3) }, (_, index) => note(`${name}/${version + index + 1}`));
  await store.log.append(stream, version, events);
  version += events.length;
  say({ stream, version });

  const [first, second] = [`${name}-${version}`, `${name}-${version}-next`];
  await store.tasks.add([
    { id: first, intent: `do ${first}` },
    { id: second, intent: `do ${second}`, depends_on: [first] },
  ]);
  acknowledge(await store.tasks.get(first));
  const claim = await store.tasks.claim({ by: name, leaseMs: 60_000 });
  if (claim.status !== 'claimed') continue;
  acknowledge(claim.task);
  const held = { id: claim.task.id, fence: claim.fence };
  await store.tasks.heartbeat({ ...held, leaseMs: 90_000 });
  const outcome =
    version % 4 === 0
      ? await store.tasks.block({ ...held, reason: 'because' })
      : version % 5 === 0
        ? await store.tasks.fail({ ...held, reason: 'no luck' })
        : await store.tasks.complete({ ...held, result: `result of ${version}` });
  if (outcome.status === 'ok') acknowledge(outcome.task);
  if (version % 7 === 0) await store.state();
}

/** @param {import('@devs/core').TaskRecord | undefined} task */
function acknowledge(task) {
  if (task !== undefined) say({ stream: `task:${task.id}`, version: task.version });
}

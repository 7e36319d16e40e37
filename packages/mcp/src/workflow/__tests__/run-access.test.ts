import { randomUUID } from 'node:crypto';
import { runEvent, runStream, type Store } from '@devs/core';
import { loadWorkflowTemplateFromString } from '@devs/core/workflow';
import { expect, it } from 'vitest';
import { createRunAccess } from '../run-access.js';
import { createToolWorld } from './tool-world.js';

const YAML = 'name: x\ndescription: y\nsteps:\n  - {id: r, type: ralph, n: 5, instructions: Go}\n';
const place = { worktreeStream: 'worktree:test', worktree: '/w', newId: randomUUID };

/** The store of a process that is slow: `meanwhile` happens when it is about to read the stream of the run. */
function slowAt(store: Store, stream: () => string, meanwhile: () => Promise<void>): Store {
  let isDone = false;
  return {
    ...store,
    log: {
      ...store.log,
      async read(query) {
        if (!isDone && query?.stream === stream()) {
          isDone = true;
          await meanwhile();
        }
        return store.log.read(query);
      },
    },
  };
}

it('[W5] misses nothing that another server stores between the reads of two streams', async () => {
  const world = createToolWorld(YAML);
  const other = createRunAccess({ ...place, store: world.open() });
  const template = loadWorkflowTemplateFromString(YAML);
  const run = await other.start({ template, source: { path: 'x', digest: 'x' } }, undefined);
  const slow = slowAt(
    world.open(),
    () => runStream(run.id),
    async () => {
      const failed = await other.append(run, [runEvent(run.state, { type: 'step.failed', reason: 'no' })]);
      await other.start({ template, source: { path: 'x', digest: 'x' } }, run.id);
      // Something late about the old run comes behind the opening of the new one.
      const late = runEvent(run.state, { type: 'artefacts.registered', paths: ['/w/a'] });
      await world.open().log.append(runStream(run.id), failed?.version ?? 0, [late]);
    },
  );

  const access = createRunAccess({ ...place, store: slow });
  await access.current();
  const now = await access.current();
  expect(now).toMatchObject({ state: { status: 'running' } });
  expect(now?.id).toBe((await other.current())?.id);
  expect(now?.id).not.toBe(run.id);
});

import { describe, expect, it } from 'vitest';
import { openStore } from '../../event-log/open-store.js';
import { createMemoryBackend } from '../../testing/memory-backend.js';

const HOUR = 3_600_000;

async function openQueue() {
  const gone = new Set<string>();
  let ids = 0;
  const { tasks, log } = openStore({
    backend: createMemoryBackend(),
    clock: { now: () => HOUR },
    newId: () => String(++ids),
    isGone: (by) => gone.has(by),
  });
  await tasks.add(['a', 'b'].map((id) => ({ id, intent: `do ${id}` })));
  const claim = async (by: string, id?: string) => {
    const claimed = await tasks.claim({ by, leaseMs: HOUR, ...(id === undefined ? {} : { id }) });
    return claimed.status === 'claimed' ? { id: claimed.task.id, fence: claimed.fence } : claimed.status;
  };
  return { tasks, log, gone, claim };
}

describe('a task whose claimer has ended', () => {
  it('is free at once, unlike others', async () => {
    const { claim, gone, log } = await openQueue();
    expect([await claim('anna'), await claim('bob')]).toEqual([
      { id: 'a', fence: 1 },
      { id: 'b', fence: 1 },
    ]);
    expect(await claim('carl')).toBe('nothing-to-do');
    gone.add('anna');
    expect(await claim('carl')).toEqual({ id: 'a', fence: 2 });
    expect(await claim('dora')).toBe('nothing-to-do');
    const story = (await log.read({ stream: 'task:a' })).map(({ type }) => type);
    expect(story).toEqual(['task.added', 'task.claimed', 'task.expired', 'task.claimed']);
  });

  it('can be claimed by its id', async () => {
    const { claim, gone } = await openQueue();
    await claim('anna', 'b');
    gone.add('anna');
    expect(await claim('carl', 'b')).toEqual({ id: 'b', fence: 2 });
  });

  it('is not settled by what comes from it too late', async () => {
    const { claim, gone, tasks } = await openQueue();
    await claim('anna', 'a');
    gone.add('anna');
    await claim('carl', 'a');
    expect(await tasks.complete({ id: 'a', fence: 1 })).toMatchObject({ status: 'refused', reason: 'stale' });
  });
});

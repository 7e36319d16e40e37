import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../ports/event-log.js';
import { createMemoryBackend } from '../../testing/memory-backend.js';
import { foldSupervisorState, readSupervisorState } from '../read-supervisor-state.js';
import { reduceSupervisorState } from '../reduce-supervisor-state.js';
import { emptySupervisorState } from '../supervisor-state.js';

const AT = Date.UTC(2026, 0, 1);
const history = (...events: [stream: string, type: string, data?: StoredEvent['data']][]): StoredEvent[] =>
  events.map(([stream, type, data = {}], index) => ({ position: index + 1, version: 1, at: AT, stream, type, data }));
const fold = (events: readonly StoredEvent[]) => events.reduce(reduceSupervisorState, emptySupervisorState());

describe('the supervisor state', () => {
  it('is folded from what happened to tasks', () => {
    const state = fold(
      history(
        ['project:this', 'project.described', { name: 'shop' }],
        ['task:a', 'task.claimed', { intent: 'A', by: 'agent-1' }],
        ['task:b', 'task.claimed', { intent: 'B', by: 'agent-2' }],
        ['task:a', 'task.completed', { intent: 'A', result: 'fine' }],
        ['task:c', 'task.failed', { intent: 'C', reason: 'broken' }],
        ['task:d', 'task.blocked', { intent: 'D', reason: 'no key' }],
      ),
    );
    const at = '2026-01-01T00:00:00.000Z';
    expect(state).toEqual({
      schema_version: 1,
      position: 6,
      project: { name: 'shop' },
      completed_tasks: [
        { task_id: 'a', intent: 'A', status: 'completed', completed_at: at, result: 'fine' },
        { task_id: 'c', intent: 'C', status: 'failed', completed_at: at, result: 'broken' },
      ],
      finished_count: 2,
      blocked_tasks: [{ task_id: 'd', intent: 'D', reason: 'no key', blocked_at: at }],
      active_tasks: [{ task_id: 'b', intent: 'B', by: 'agent-2' }],
    });
  });

  it.each(['task.unblocked', 'task.completed', 'task.failed', 'task.removed', 'task.retried'])(
    'shows no blocker after %s',
    (type) => {
      expect(fold(history(['task:a', 'task.blocked', { reason: 'x' }], ['task:a', type])).blocked_tasks).toEqual([]);
    },
  );

  it.each(['task.released', 'task.expired', 'task.blocked', 'task.completed', 'task.failed'])(
    'shows no one at work after %s',
    (type) => {
      expect(fold(history(['task:a', 'task.claimed', { by: 'x' }], ['task:a', type])).active_tasks).toEqual([]);
    },
  );

  it('forgets a result that was taken back', () => {
    const state = fold(
      history(['task:a', 'task.completed', { result: 'wrong' }], ['task:a', 'task.retried', { was: 'done' }]),
    );
    expect([state.completed_tasks, state.finished_count]).toEqual([[], 0]);
  });

  it('passes over events that it does not know', () => {
    expect(fold(history(['task:a', 'task.dreamt'], ['run:x', 'run.started']))).toEqual({
      ...emptySupervisorState(),
      position: 2,
    });
  });

  it('stays small however long the history is', () => {
    const events = history(
      ...Array.from({ length: 5_000 }, (_, index): [string, string] => [`task:t${index}`, 'task.completed']),
    );
    const state = fold(events);
    expect(state.finished_count).toBe(5_000);
    expect(state.completed_tasks).toHaveLength(50);
  });

  it('is read from the last snapshot on, and a snapshot that cannot be read is left alone', async () => {
    const backend = createMemoryBackend();
    for (let index = 0; index < 450; index++) {
      const events = [{ type: 'task.completed', data: { intent: `${index}` } }];
      await backend.commit({
        id: `${index}`,
        at: AT,
        streams: [{ stream: `task:t${index}`, expectedVersion: 0, events }],
        tasks: [],
      });
      if (index === 300) await readSupervisorState(backend);
    }
    expect((await backend.loadSnapshot('supervisor-state'))?.position).toBe(301);
    expect(await readSupervisorState(backend)).toEqual(await foldSupervisorState(backend));

    await backend.saveSnapshot('supervisor-state', { position: 999, state: { schema_version: 99 } });
    expect(await readSupervisorState(backend)).toEqual(await foldSupervisorState(backend));
  });
});

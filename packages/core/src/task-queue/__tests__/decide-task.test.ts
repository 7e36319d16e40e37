import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TASK_STATUSES, type TaskRecord } from '../../ports/task-queue.js';
import { decideTask, type TaskCommand } from '../decide-task.js';

const record = (changes: Partial<TaskRecord> = {}): TaskRecord => ({
  id: 'a',
  intent: 'do a',
  depends_on: [],
  open_dependencies: [],
  priority: 0,
  status: 'pending',
  fence: 0,
  added_at: 0,
  version: 1,
  ...changes,
});

const commands = fc.oneof(
  fc.record({ type: fc.constant('claim' as const), by: fc.constant('x'), leaseMs: fc.constant(10) }),
  fc.record(
    { type: fc.constantFrom('complete' as const, 'release' as const), id: fc.constant('a'), fence: fc.nat(4) },
    { requiredKeys: ['type', 'id'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('fail' as const, 'block' as const),
      id: fc.constant('a'),
      reason: fc.constant('why'),
      fence: fc.nat(4),
    },
    { requiredKeys: ['type', 'id', 'reason'] },
  ),
  fc.record({ type: fc.constantFrom('unblock' as const, 'retry' as const, 'remove' as const, 'expire' as const) }),
) as fc.Arbitrary<TaskCommand>;

describe('what becomes of a task', () => {
  it('keeps these promises through any sequence of commands', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 30 }), (sequence) => {
        let task = record();
        for (const [now, command] of sequence.entries()) {
          const decision = decideTask(task, command, now);
          if (decision.status !== 'changed') continue;
          const next = decision.task;
          expect(next.version).toBe(task.version + 1);
          expect(next.fence).toBe(task.fence + (command.type === 'claim' ? 1 : 0));
          expect(TASK_STATUSES).toContain(next.status);
          if (command.type !== 'remove') {
            expect(next.lease !== undefined).toBe(next.status === 'in_progress');
            expect(next.reason !== undefined).toBe(next.status === 'blocked' || next.status === 'failed');
            expect(next.finished_at !== undefined).toBe(next.status === 'done' || next.status === 'failed');
          }
          task = next;
        }
      }),
    );
  });

  it('[S3] refuses every command of a writer whose claim is not the last', () => {
    const task = record({ status: 'in_progress', fence: 3, lease: { by: 'x', until: 9 } });
    for (const type of ['complete', 'fail', 'block', 'release'] as const) {
      const command = { type, id: 'a', fence: 2, reason: 'r' } as TaskCommand;
      expect(decideTask(task, command, 0)).toMatchObject({ status: 'refused', reason: 'stale' });
    }
  });

  it('lets the user finish an unclaimed task', () => {
    expect(decideTask(record(), { type: 'complete', id: 'a', result: 'by hand' }, 5)).toMatchObject({
      status: 'changed',
      task: { status: 'done', result: 'by hand', finished_at: 5 },
    });
  });
});

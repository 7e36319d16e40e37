import type { StoredEvent } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../screen/columns.js';
import { plainPalette } from '../../screen/palette.js';
import { describeRefusal } from '../task-advice.js';
import { renderTask } from '../task-show.js';
import { calendar, NOW, taskRecord } from './task-record.js';

const screen = { columns: 80, palette: plainPalette };
const event = (version: number, type: string, data: StoredEvent['data'] = {}): StoredEvent => ({
  position: version,
  version,
  stream: 'task:fix-login',
  at: NOW - 1_000,
  type,
  data,
});

describe('one task', () => {
  it('is shown with all that is known of it', () => {
    const task = taskRecord({
      status: 'in_progress',
      lease: { by: 'anna', until: NOW + 600_000 },
      priority: 2,
      description: 'First line.\nSecond \u001b[2J line.',
    });
    const history = [event(1, 'task.added', { intent: 'Fix the login' }), event(2, 'task.claimed', { by: 'anna' })];

    const lines = renderTask(
      { task, history, dependencies: [{ id: 'a', status: 'done' }, { id: 'b' }] },
      screen,
      calendar,
    );

    expect(lines).toEqual([
      'fix-login  in progress',
      '  intent     Fix the login',
      '  held by    anna, until 14:10:00 (in 10 min)',
      '  priority   2',
      '  after      a (done), b (removed)',
      '  text       First line.',
      '             Second ␛[2J line.',
      '  added      13:00:00 (1 h ago)',
      '',
      'History',
      '  2026-01-31 13:59:59  added: Fix the login',
      '  2026-01-31 13:59:59  started by anna',
    ]);
  });

  it('says when its lease is over, why it failed, and what is left out', () => {
    const history = Array.from({ length: 30 }, (_, index) => event(index + 1, 'task.retried'));
    const over = taskRecord({ status: 'in_progress', lease: { by: 'anna', until: NOW - 60_000 } });
    const failed = taskRecord({ status: 'failed', reason: 'no luck', finished_at: NOW });
    const text = (task: typeof over) => renderTask({ task, history, dependencies: [] }, screen, calendar).join('\n');

    expect(text(over)).toContain('until 13:59:00 (1 min ago): anybody may take it');
    expect(text(failed)).toContain('  failed     no luck');
    expect(text(failed)).toContain('10 earlier events: devs log --stream task:fix-login --after 0');
    expect(
      text(failed)
        .split('\n')
        .filter((line) => widthOf(line) > 80),
    ).toEqual([]);
  });
});

describe('a refusal', () => {
  it.each([
    ['unknown', undefined, '`devs task list --all`'],
    ['stale', 'in_progress', '`devs task show a`'],
    ['waiting', 'pending', '`devs task show a`'],
    ['wrong-status', 'done', '`devs task retry a`'],
    ['wrong-status', 'in_progress', '`devs task release a`'],
    ['wrong-status', 'blocked', '`devs task unblock a`'],
  ] as const)('of kind %s for a task that is %s says what to do', (reason, status, advice) => {
    const text = describeRefusal({ status: 'refused', reason, message: 'not so' }, { id: 'a', status });

    expect(text).toMatch(/^not so\. /);
    expect(text).toContain(advice);
  });
});

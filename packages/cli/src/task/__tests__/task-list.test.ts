import type { TaskQuery, TaskRecord } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../screen/columns.js';
import { colourPalette, plainPalette } from '../../screen/palette.js';
import { ALL_STATUSES, OPEN_STATUSES } from '../status-words.js';
import { listPage, type PageRequest, renderTaskList } from '../task-list.js';
import { calendar, NOW, taskRecord } from './task-record.js';

const screen = { columns: 80, palette: plainPalette };

/** A queue that can only be listed. */
const queueOf = (tasks: readonly TaskRecord[]) => ({
  async list({ statuses, text, offset = 0, limit }: TaskQuery) {
    const found = tasks.filter(
      (task) => (statuses?.includes(task.status) ?? true) && `${task.id} ${task.intent}`.includes(text ?? ''),
    );
    return { tasks: found.slice(offset, offset + limit), total: found.length };
  },
});

const list = async (tasks: readonly TaskRecord[], changes: Partial<PageRequest> = {}) =>
  listPage(queueOf(tasks), { statuses: OPEN_STATUSES, page: 1, perPage: 50, ...changes });
const render = async (tasks: readonly TaskRecord[], changes: Partial<PageRequest> = {}) =>
  renderTaskList(await list(tasks, changes), screen, calendar);

const TEN_THOUSAND = Array.from({ length: 10_000 }, (_, index) =>
  taskRecord({ id: `t${index}`, intent: `Task number ${index}`, status: ALL_STATUSES[index % 5] ?? 'pending' }),
);

describe('a list of tasks', () => {
  it('shows what is open, what it waits for, and what is not shown', async () => {
    const tasks = [
      taskRecord({ id: 'docs', intent: 'Write the docs', open_dependencies: ['fix-login'] }),
      taskRecord({ id: 'release', intent: 'Release', priority: 5 }),
      taskRecord({ id: 'deploy', intent: 'Deploy to staging', status: 'blocked', reason: 'no key\nask Bo' }),
      taskRecord({ status: 'in_progress', lease: { by: 'anna', until: NOW + 60_000 * 12 } }),
      taskRecord({ id: 'setup', status: 'done', finished_at: NOW }),
      taskRecord({ id: 'spike', status: 'failed', reason: 'no', finished_at: NOW }),
    ];

    expect(await render(tasks)).toEqual([
      'in progress  fix-login  Fix the login                          anna, 12 min left',
      'blocked      deploy     Deploy to staging',
      '             ↳ no key↵ask Bo',
      'pending      docs       Write the docs                         after fix-login',
      'pending      release    Release                                priority 5',
      '',
      '4 open tasks.',
      'Not shown: 1 failed and 1 done (--all shows them).',
    ]);
  });

  it('cuts 10,000 into pages that neither lose nor repeat one', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 9; page++) {
      const { tasks, total, pages } = await list(TEN_THOUSAND, { page, perPage: 700 });
      expect([total, pages]).toEqual([6_000, 9]);
      seen.push(...tasks.map(({ id }) => id));
    }

    expect([seen.length, new Set(seen).size]).toEqual([6_000, 6_000]);
    expect(seen.slice(0, 2)).toEqual(['t0', 't5']); // all in progress come before any that is blocked
  });

  it('says where in the pages it is', async () => {
    const lines = await render(TEN_THOUSAND, { page: 3 });

    expect(lines.slice(-3)).toEqual([
      '101 to 150 of 6,000 open tasks, page 3 of 120.',
      'The next page: --page 4. Fewer: --search TEXT, --status STATUS.',
      'Not shown: 2,000 failed and 2,000 done (--all shows them).',
    ]);
  });

  it.each([
    [[], {}, 'No tasks yet. Add one: devs task add "What to do"'],
    [[taskRecord()], { search: 'x\u001b[2J' }, 'No open tasks with "x␛[2J".'],
    [[taskRecord({ status: 'done' })], {}, 'No open tasks.'],
    [[taskRecord()], { page: 7 }, 'Page 7 is behind the last one, which is 1: 1 open tasks.'],
    [[taskRecord()], { statuses: ['pending', 'failed'] as const }, '1 pending or failed task.'],
    [[taskRecord()], { statuses: ALL_STATUSES }, '1 task.'],
  ])('says what it found: case %#', async (tasks, changes, sentence) => {
    expect(await render(tasks, changes)).toContain(sentence);
  });

  it.each([40, 80, 100])('fits into %d columns, however long or strange the texts are', async (columns) => {
    const tasks = ['\u001b[31m'.repeat(50), '漢字'.repeat(300), 'word '.repeat(400)].flatMap((text) => [
      taskRecord({ intent: text, status: 'blocked', reason: text }),
      taskRecord({ intent: text, open_dependencies: ['a'.repeat(100)] }),
      taskRecord({ intent: text, status: 'in_progress', lease: { by: text.slice(0, 100), until: NOW } }),
    ]);
    const lines = renderTaskList(await list(tasks), { columns, palette: plainPalette }, calendar);

    expect(lines.filter((line) => widthOf(line) > columns || line.includes('\u001b'))).toEqual([]);
  });

  it('never cuts an id, which one may want to copy', async () => {
    const id = 'a'.repeat(100);

    expect((await render([taskRecord({ id })]))[0]).toContain(id);
  });

  it('has colours where the screen has', async () => {
    const lines = renderTaskList(await list([taskRecord()]), { columns: 80, palette: colourPalette }, calendar);

    expect(lines[0]).toBe('\u001b[36mpending    \u001b[39m  fix-login  Fix the login');
  });
});

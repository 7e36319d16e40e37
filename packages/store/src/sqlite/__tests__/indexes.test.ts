import { describe, expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../open-connection.js';
import { STORE_SCHEMA } from '../schema.js';
import type { Sql } from '../sql.js';
import { createTaskRows, type TaskRows } from '../task-rows.js';
import { scratchFile } from './scratch.js';

type Values = (string | number | null)[];

/** How SQLite goes about what `use` asks of the tasks, a line for each step of each statement. */
function plansOf(use: (tasks: TaskRows) => unknown): string[] {
  const { sql } = openConnection(scratchFile(), { schema: STORE_SCHEMA, now: () => 0 });
  onTestFinished(() => sql.close());
  const asked: [text: string, values: Values][] = [];
  const watching: Sql = {
    ...sql,
    query(text) {
      const query = sql.query<never>(text);
      const noting =
        <Answer>(ask: (...values: Values) => Answer) =>
        (...values: Values) => {
          asked.push([text, values]);
          return ask(...values);
        };
      return {
        first: noting(query.first),
        all: noting(query.all),
        run: noting(query.run),
        runAlone: noting(query.runAlone),
      };
    },
  };
  use(createTaskRows(watching));
  expect(asked.length).toBeGreaterThan(0);
  return asked.flatMap(([text, values]) =>
    sql
      .query<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
      .map(([, , , detail]) => detail),
  );
}

describe('SQLite finds by an index, and never by looking at all tasks,', () => {
  it.each<[string, (tasks: TaskRows) => unknown, RegExp]>([
    ['what can be claimed', (tasks) => tasks.claimableTasks(9), /^SCAN tasks USING INDEX tasks_claimable$/],
    ['whose lease has ended', (tasks) => tasks.expiredTasks(5, 9), /^SEARCH tasks USING INDEX tasks_held/],
    ['the tasks of one status', list('pending'), /^SEARCH tasks USING COVERING INDEX tasks_by_status \(status=\?\)/],
    ['the tasks of some', list('pending', 'done'), /^SEARCH tasks USING COVERING INDEX tasks_by_status \(status=\?\)/],
    ['a task', (tasks) => tasks.loadTasks(['a']), /^SEARCH tasks USING INDEX .*\(id=\?\)/],
    ['several tasks', (tasks) => tasks.loadTasks(['a', 'b']), /^SEARCH tasks USING INDEX .*\(id=\?\)/],
    ['who depends on a task', (tasks) => tasks.dependentsOf('a'), /^SEARCH task_dependencies USING PRIMARY KEY/],
    ['the task of a heartbeat', renew, /^SEARCH tasks USING INDEX .*\(id=\?\)/],
    ['the end of a lease', (tasks) => tasks.leaseEnd('a'), /^SEARCH tasks USING INDEX .*\(id=\?\)/],
  ])('%s', (_what, use, index) => {
    const plans = plansOf(use);
    expect(plans).toContainEqual(expect.stringMatching(index));
    expect(plans.filter((step) => /^SCAN task/.test(step) && !index.test(step))).toEqual([]);
  });

  it('a page of all tasks, which it walks to in their order, reading the records of the page alone', () => {
    const plans = plansOf((tasks) => tasks.listTasks({ limit: 9, offset: 90 }));
    expect(plans).toContainEqual(expect.stringMatching(/^SEARCH tasks USING INTEGER PRIMARY KEY/));
    expect(plans.filter((step) => step.includes('ORDER BY'))).toEqual([]);
  });
});

function list(...statuses: ('pending' | 'done')[]) {
  return (tasks: TaskRows) => tasks.listTasks({ statuses, limit: 9 });
}

function renew(tasks: TaskRows) {
  return tasks.renewLease({ id: 'a', fence: 1, until: 5 });
}

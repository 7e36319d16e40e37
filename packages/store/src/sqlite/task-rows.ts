import type { StoreBackend, TaskChange, TaskPage, TaskQuery, TaskRecord } from '@devs/core';
import { parseTaskRecord } from '../parse-stored.js';
import type { Sql } from './sql.js';

/**
 * Pages of tasks in the order of adding. Each kind of query has its own statement: "no filter, or this one" could use
 * no index. Indexes find the page, and only its own records are read.
 */
function createTaskPages(sql: Sql): (query: TaskQuery) => TaskPage {
  const prepare = (...conditions: string[]) => {
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    return {
      page: sql.query<[record: string]>(
        `SELECT record FROM tasks WHERE seq IN (SELECT seq FROM tasks ${where} ORDER BY seq LIMIT ? OFFSET ?) ORDER BY seq`,
      ),
      total: sql.query<[number]>(`SELECT count(*) FROM tasks ${where}`),
    };
  };
  const all = prepare();
  const byStatus = prepare(STATUS);
  const byText = prepare(TEXT);
  const byBoth = prepare(STATUS, TEXT);

  return ({ statuses, text, offset = 0, limit }) => {
    const filters = [
      ...(statuses === undefined ? [] : [JSON.stringify(statuses)]),
      ...(text === undefined ? [] : [text.toLowerCase()]),
    ];
    const one = text === undefined ? byStatus : byText;
    const { page, total } = filters.length === 0 ? all : filters.length === 2 ? byBoth : one;
    return {
      tasks: page.all(...filters, limit, offset).map(([record]) => parseTaskRecord(record)),
      total: total.first(...filters)?.[0] ?? 0,
    };
  };
}

const STATUS = 'status IN (SELECT value FROM json_each(?))';
const TEXT = 'instr(search, ?) > 0';

type RecordRow = readonly [record: string];
type TaskReads = Pick<StoreBackend, 'loadTasks' | 'claimableTasks' | 'expiredTasks' | 'dependentsOf' | 'listTasks'>;
/** The same members, answering at once. */
type Now<T> = {
  [K in keyof T]: T[K] extends (...args: infer Args) => Promise<infer Result> ? (...args: Args) => Result : never;
};

export interface TaskRows extends Now<TaskReads>, Now<Pick<StoreBackend, 'renewLease'>> {
  leaseEnd(id: string): number | undefined;
  /** Within the transaction of a commit. */
  write(change: TaskChange): void;
}

/** Tasks in their table. Each is kept as JSON; the columns beside it are for finding it. */
export function createTaskRows(sql: Sql): TaskRows {
  const byId = sql.query<RecordRow>('SELECT record FROM tasks WHERE id = ?');
  const byIds = sql.query<RecordRow>(
    'SELECT record FROM tasks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY seq',
  );
  const claimable = sql.query<RecordRow>(
    `SELECT record FROM tasks INDEXED BY tasks_claimable WHERE status = 'pending' AND waits_for = 0 ORDER BY priority DESC, seq LIMIT ?`,
  );
  const expired = sql.query<RecordRow>(
    `SELECT record FROM tasks INDEXED BY tasks_held WHERE status = 'in_progress' AND lease_until <= ? ORDER BY lease_until LIMIT ?`,
  );
  const dependents = sql.query<RecordRow>(
    'SELECT record FROM task_dependencies JOIN tasks ON tasks.id = task WHERE dependency = ? ORDER BY seq',
  );
  const leaseEnd = sql.query<[number | null]>('SELECT lease_until FROM tasks WHERE id = ?');
  const renew = sql.query(
    `UPDATE tasks SET lease_until = ?1, record = json_set(record, '$.lease.until', CAST(?1 AS INTEGER))
     WHERE id = ?2 AND fence = ?3 AND status = 'in_progress' AND lease_until IS NOT NULL`,
  );
  const put = sql.query(
    `INSERT INTO tasks (id, status, priority, waits_for, fence, lease_until, search, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, priority = excluded.priority,
       waits_for = excluded.waits_for, fence = excluded.fence, lease_until = excluded.lease_until,
       search = excluded.search, record = excluded.record`,
  );
  const remove = sql.query('DELETE FROM tasks WHERE id = ?');
  const link = sql.query('INSERT OR IGNORE INTO task_dependencies (dependency, task) VALUES (?, ?)');
  const unlink = sql.query('DELETE FROM task_dependencies WHERE dependency = ? AND task = ?');

  return {
    loadTasks: ([id, ...others]) => {
      if (id === undefined) return [];
      return tasksOf(others.length === 0 ? byId.all(id) : byIds.all(JSON.stringify([id, ...others])));
    },
    claimableTasks: (limit) => tasksOf(claimable.all(limit)),
    expiredTasks: (now, limit) => tasksOf(expired.all(now, limit)),
    dependentsOf: (id) => tasksOf(dependents.all(id)),
    listTasks: createTaskPages(sql),
    leaseEnd: (id) => leaseEnd.first(id)?.[0] ?? undefined,
    renewLease: ({ id, fence, until }) => sql.transaction(() => renew.run(until, id, fence).changes > 0),
    write({ before, after }) {
      for (const dependency of before?.depends_on ?? []) {
        if (after?.depends_on.includes(dependency) !== true) unlink.run(dependency, before?.id ?? '');
      }
      if (after === null) {
        if (before !== null) remove.run(before.id);
        return;
      }
      put.run(...columnsOf(after));
      for (const dependency of after.depends_on) {
        if (before?.depends_on.includes(dependency) !== true) link.run(dependency, after.id);
      }
    },
  };
}

const tasksOf = (rows: readonly RecordRow[]) => rows.map(([record]) => parseTaskRecord(record));

const columnsOf = (task: TaskRecord) => [
  task.id,
  task.status,
  task.priority,
  task.open_dependencies.length,
  task.fence,
  task.lease?.until ?? null,
  `${task.id}\n${task.intent}`.toLowerCase(), // SQLite's own lower() knows ASCII only
  JSON.stringify(task),
];

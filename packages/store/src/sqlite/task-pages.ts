import type { TaskPage, TaskQuery } from '@devs/core';
import { parseTaskRecord } from '../parse-stored.js';
import type { Sql } from './sql.js';

/**
 * Pages of tasks in the order of adding. Each kind of query has its own statement: "no filter, or this one" could use
 * no index. Indexes find the page, and only its own records are read.
 */
export function createTaskPages(sql: Sql): (query: TaskQuery) => TaskPage {
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

import { type StoreBackend, TASK_STATUSES, type TaskPage, type TaskQuery, type TaskRecord } from '@devs/core';
import { parseTaskRecord } from '../parse-stored.js';
import * as scripts from './read-scripts.js';
import type { RedisScript } from './redis-script.js';

/** Runs a script on the server under the store's prefix. */
export type Evaluate = (script: RedisScript, args: readonly (string | number)[]) => Promise<unknown>;

type TaskReads = Pick<StoreBackend, 'loadTasks' | 'claimableTasks' | 'expiredTasks' | 'dependentsOf' | 'listTasks'>;

const SCANNED_AT_ONCE = 500;

export function createTaskReads(evaluate: Evaluate): TaskReads {
  const load = async (script: RedisScript, args: readonly (string | number)[]) =>
    parseRecords(await evaluate(script, args));
  return {
    loadTasks: async (ids) => (ids.length === 0 ? [] : load(scripts.tasksByIdScript, [...new Set(ids)])),
    claimableTasks: async (limit) => (limit < 1 ? [] : load(scripts.claimableScript, [limit])),
    expiredTasks: async (now, limit) => (limit < 1 ? [] : load(scripts.expiredScript, [now, limit])),
    dependentsOf: (id) => load(scripts.dependentsScript, [id]),
    listTasks: (query) => (query.text === undefined ? list(evaluate, query) : search(evaluate, query)),
  };
}

async function list(evaluate: Evaluate, { statuses = TASK_STATUSES, offset = 0, limit }: TaskQuery): Promise<TaskPage> {
  const isEvery = TASK_STATUSES.every((status) => statuses.includes(status));
  const indexes = isEvery ? ['order'] : [...new Set(statuses)].map((status) => `status:${status}`);
  const reply = await evaluate(scripts.listScript, [offset, limit, ...indexes]);
  const [total, records] = reply as [number, unknown];
  return { tasks: parseRecords(records), total };
}

/** Reads all tasks in the order of adding and keeps the page that is asked for: the server has no index over texts. */
async function search(evaluate: Evaluate, query: TaskQuery): Promise<TaskPage> {
  const { statuses, text = '', offset = 0, limit } = query;
  const needle = text.toLowerCase();
  const tasks: TaskRecord[] = [];
  let total = 0;
  let last = '0';
  while (last !== '') {
    const reply = await evaluate(scripts.nextInOrderScript, [last, SCANNED_AT_ONCE]);
    const [next, records] = reply as [string, unknown];
    for (const task of parseRecords(records)) {
      if (statuses !== undefined && !statuses.includes(task.status)) continue;
      if (!`${task.id}\n${task.intent}`.toLowerCase().includes(needle)) continue;
      if (total >= offset && tasks.length < limit) tasks.push(task);
      total++;
    }
    last = next;
  }
  return { tasks, total };
}

function parseRecords(reply: unknown): TaskRecord[] {
  const flat = reply as readonly string[];
  const records: TaskRecord[] = [];
  for (let index = 0; index < flat.length; index += 2) {
    records.push(parseRecord(flat[index] ?? '', flat[index + 1] ?? ''));
  }
  return records;
}

function parseRecord(json: string, leaseEnd: string): TaskRecord {
  const task = parseTaskRecord(json);
  return task.lease === undefined ? task : { ...task, lease: { ...task.lease, until: Number(leaseEnd) } };
}

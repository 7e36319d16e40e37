import { StoreContendedError, StoreInputError } from '../errors/store-errors.js';
import type { StoreDeps } from '../event-log/create-event-log.js';
import type { NewEvent } from '../ports/event-log.js';
import type { Commit, TaskChange } from '../ports/store-backend.js';
import type { ClaimOutcome, ClaimRequest, NewTask, TaskOutcome, TaskQueue, TaskRecord } from '../ports/task-queue.js';
import { redactText } from '../redaction/redact-text.js';
import { decideTask, type TaskCommand } from './decide-task.js';
import { dependentChanges } from './dependent-changes.js';
import { orderByDependency } from './order-by-dependency.js';
import { taskStream } from './task-stream.js';
import {
  checkHolder,
  checkLease,
  checkNewTask,
  checkQuery,
  checkTaskEdit,
  checkTaskId,
  checkText,
} from './validate-task.js';

/** Attempts at a change while other writers are faster. */
const MOST_TRIES = 100;
const CLAIM_CANDIDATES = 16;
const MOST_TASKS_AT_ONCE = 1_000;
const EXPIRED_AT_ONCE = 100;
const HELD_AT_ONCE = 1_000;

/**
 * The task queue over any backend. Each change is decided on the stored record, and stored only if that is unchanged.
 */
export function createTaskQueue({ backend, clock, newId, isGone }: StoreDeps): TaskQueue {
  /** `at` is the time that the change was decided with, so that the record and its event agree. */
  const store = (at: number, streams: Commit['streams'], tasks: readonly TaskChange[]) =>
    backend.commit({ id: newId(), at, streams, tasks });

  const leaseTime = () => backend.leaseTime(clock);

  async function change(id: string, command: TaskCommand): Promise<TaskOutcome> {
    checkTaskId(id);
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const [task] = await backend.loadTasks([id]);
      if (task === undefined) return { status: 'refused', reason: 'unknown', message: `there is no task ${id}` };
      const now = command.type === 'claim' ? await leaseTime() : clock.now();
      const decision = decideTask(task, command, now);
      if (decision.status === 'refused') return decision;
      if (decision.status === 'unchanged') return { status: 'ok', task };

      const dependents = await backend.dependentsOf(id);
      if (command.type === 'remove') {
        const waiting = dependents.filter((other) => other.open_dependencies.includes(id)).map((other) => other.id);
        const message = `${waiting.join(', ')} depends on ${id}; remove that first`;
        if (waiting.length > 0) return { status: 'refused', reason: 'wrong-status', message };
      }
      const others = command.type === 'remove' ? [] : dependentChanges(decision.task, dependents);
      const after = command.type === 'remove' ? null : decision.task;
      const result = await store(
        now,
        [
          { stream: taskStream(id), expectedVersion: task.version, events: [decision.event] },
          ...others.map(({ before, event }) => ({
            stream: taskStream(before.id),
            expectedVersion: before.version,
            events: [event],
          })),
        ],
        [{ before: task, after }, ...others],
      );
      if (result.committed) return { status: 'ok', task: decision.task };
    }
    throw new StoreContendedError(`task ${id} was changed by others ${MOST_TRIES} times in a row; try again`);
  }

  /** Claimed by an expired lease, or by a holder known to be gone. */
  async function abandoned(): Promise<readonly TaskRecord[]> {
    const expired = await backend.expiredTasks(await leaseTime(), EXPIRED_AT_ONCE);
    if (isGone === undefined) return expired;
    const ids = new Set(expired.map(({ id }) => id));
    const { tasks: held } = await backend.listTasks({ statuses: ['in_progress'], limit: HELD_AT_ONCE });
    return [...expired, ...held.filter(({ id, lease }) => !ids.has(id) && lease !== undefined && isGone(lease.by))];
  }

  async function expire(): Promise<readonly string[]> {
    const given: string[] = [];
    for (const task of await abandoned()) {
      const now = clock.now();
      const decision = decideTask(task, { type: 'expire' }, now);
      if (decision.status !== 'changed' || task.lease === undefined) continue;
      const stream = { stream: taskStream(task.id), expectedVersion: task.version, events: [decision.event] };
      const result = await backend.commit({
        id: newId(),
        at: now,
        streams: [stream],
        tasks: [{ before: task, after: decision.task }],
        lease: { id: task.id, until: task.lease.until },
      });
      if (result.committed) given.push(task.id);
    }
    return given;
  }

  async function claim({ by, leaseMs, id, after }: ClaimRequest): Promise<ClaimOutcome> {
    checkHolder(by);
    checkLease(leaseMs);
    await expire();
    const command = { type: 'claim', by: redactText(by), leaseMs } as const;
    if (id !== undefined) return asClaim(await change(id, after === undefined ? command : { ...command, after }));
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const candidates = await backend.claimableTasks(CLAIM_CANDIDATES);
      if (candidates.length === 0) return { status: 'nothing-to-do' };
      for (const candidate of candidates) {
        const now = await leaseTime();
        const decision = decideTask(candidate, command, now);
        if (decision.status !== 'changed') continue;
        const stream = {
          stream: taskStream(candidate.id),
          expectedVersion: candidate.version,
          events: [decision.event],
        };
        const result = await store(now, [stream], [{ before: candidate, after: decision.task }]);
        if (result.committed) return { status: 'claimed', task: decision.task, fence: decision.task.fence };
      }
    }
    throw new StoreContendedError(`others were faster ${MOST_TRIES} times in a row; try again`);
  }

  async function add(tasks: readonly NewTask[]): Promise<readonly TaskRecord[]> {
    if (tasks.length > MOST_TASKS_AT_ONCE) throw new StoreInputError('tasks', `at most ${MOST_TASKS_AT_ONCE} at once`);
    for (const task of tasks) checkNewTask(task);
    const ordered = orderByDependency(tasks);
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const now = clock.now();
      const { records, dependencies } = await newRecords(ordered, { backend, now });
      const added = records.map((record) => {
        const events = addedEvents(record);
        return { stream: taskStream(record.id), expectedVersion: record.version - events.length, events };
      });
      // Each dependency gets an event, which moves its version: a concurrent writer that completes, reopens or removes
      // it has not seen the new task, and decides again.
      const told = dependencies.map(({ id, version }) => ({
        stream: taskStream(id),
        expectedVersion: version,
        events: [dependentAdded(id, records)],
      }));
      const changes = [
        ...dependencies.map((before) => ({ before, after: { ...before, version: before.version + 1 } })),
        ...records.map((record) => ({ before: null, after: record })),
      ];
      const result = await store(now, [...told, ...added], changes);
      if (result.committed) return records;
    }
    throw new StoreContendedError(`others were faster ${MOST_TRIES} times in a row; try again`);
  }

  return {
    add: async (tasks) => (tasks.length === 0 ? [] : add(tasks)),
    claim,
    expire,
    async heartbeat({ id, fence, leaseMs }) {
      checkTaskId(id);
      checkLease(leaseMs);
      return (await backend.renewLease({ id, fence, until: (await leaseTime()) + leaseMs })) ? 'renewed' : 'lost';
    },
    complete: async ({ result, ...held }) => {
      if (result !== undefined) checkText('result', result);
      return change(held.id, {
        type: 'complete',
        ...held,
        ...(result !== undefined && { result: redactText(result) }),
      });
    },
    fail: async ({ reason, ...held }) => {
      checkText('reason', reason);
      return change(held.id, { type: 'fail', ...held, reason: redactText(reason) });
    },
    block: async ({ reason, ...held }) => {
      checkText('reason', reason);
      return change(held.id, { type: 'block', ...held, reason: redactText(reason) });
    },
    unblock: (id) => change(id, { type: 'unblock' }),
    release: (held) => change(held.id, { type: 'release', ...held }),
    retry: (id) => change(id, { type: 'retry' }),
    edit: async ({ id, intent, description, priority }) => {
      checkTaskEdit({ id, intent, description, priority });
      return change(id, {
        type: 'edit',
        ...(intent === undefined ? {} : { intent: redactText(intent) }),
        ...(description === undefined ? {} : { description: redactText(description) }),
        ...(priority === undefined ? {} : { priority }),
      });
    },
    remove: (id) => change(id, { type: 'remove' }),
    get: async (id) => {
      checkTaskId(id);
      return (await backend.loadTasks([id]))[0];
    },
    list: async (query) => {
      checkQuery(query);
      return backend.listTasks(query);
    },
  };
}

const asClaim = (outcome: TaskOutcome): ClaimOutcome =>
  outcome.status === 'ok' ? { status: 'claimed', task: outcome.task, fence: outcome.task.fence } : outcome;

/** The records of new tasks, and the tasks outside that they depend on. */
async function newRecords(
  tasks: readonly NewTask[],
  { backend, now }: { readonly backend: StoreDeps['backend']; readonly now: number },
): Promise<{ readonly records: readonly TaskRecord[]; readonly dependencies: readonly TaskRecord[] }> {
  const own = new Set(tasks.map(({ id }) => id));
  if (own.size < tasks.length) throw new StoreInputError('tasks', 'each id once');
  const outside = [...new Set(tasks.flatMap(({ depends_on = [] }) => depends_on))].filter((id) => !own.has(id));
  const known = new Map((await backend.loadTasks([...own, ...outside])).map((task) => [task.id, task]));
  const records: TaskRecord[] = [];
  for (const task of tasks) {
    if (known.has(task.id))
      throw new StoreInputError('task id', `one that is not taken; there is a task ${task.id} already`);
    const missing = (task.depends_on ?? []).filter((id) => !own.has(id) && !known.has(id));
    if (missing.length > 0) {
      throw new StoreInputError(`dependencies of ${task.id}`, `tasks that exist; there is no ${missing.join(', ')}`);
    }
    // A removed task may be added again: its stream and its fences continue, so that a late claimer of the old one is
    // refused.
    const removedVersion = await backend.version(taskStream(task.id));
    const depends_on = [...new Set(task.depends_on ?? [])];
    records.push({
      id: task.id,
      intent: redactText(task.intent.trim()),
      ...(task.description !== undefined && { description: redactText(task.description) }),
      depends_on,
      open_dependencies: depends_on.filter((id) => known.get(id)?.status !== 'done'),
      priority: task.priority ?? 0,
      ...(task.blocked === undefined
        ? { status: 'pending', version: removedVersion + 1 }
        : { status: 'blocked', reason: redactText(task.blocked), version: removedVersion + 2 }),
      fence: removedVersion,
      added_at: now,
    });
  }
  return { records, dependencies: outside.flatMap((id) => known.get(id) ?? []) };
}

const dependentAdded = (id: string, records: readonly TaskRecord[]) => ({
  type: 'dependent.added',
  data: { tasks: records.filter(({ depends_on }) => depends_on.includes(id)).map((record) => record.id) },
});

function addedEvents({ intent, description, depends_on, priority, reason }: TaskRecord): readonly NewEvent[] {
  const data = { intent, ...(description !== undefined && { description }), depends_on, priority };
  const added = { type: 'task.added', data };
  return reason === undefined ? [added] : [added, { type: 'task.blocked', data: { intent, reason } }];
}

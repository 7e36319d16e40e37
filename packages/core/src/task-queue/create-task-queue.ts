import { StoreContendedError, StoreInputError } from '../errors/store-errors.js';
import type { StoreDeps } from '../event-log/create-event-log.js';
import { hasLabels } from '../fleet/has-labels.js';
import { orderByDependency } from '../order-by-dependency.js';
import type { NewEvent } from '../ports/event-log.js';
import type { Commit } from '../ports/store-backend.js';
import type { ClaimOutcome, ClaimRequest, NewTask, TaskOutcome, TaskQueue, TaskRecord } from '../ports/task-queue.js';
import { redactText } from '../redaction/redact-text.js';
import { decideTask, type TaskCommand, type TaskDecision } from './decide-task.js';
import { dependentChanges } from './dependent-changes.js';
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
const MAX_TRIES = 100;
const CLAIM_CANDIDATES = 16;
const MAX_TASKS_AT_ONCE = 1_000;
const EXPIRED_AT_ONCE = 100;
const HELD_AT_ONCE = 1_000;

/** What the queue is made of. `isGone` only counts where no other machine shares the store. */
interface Queue extends StoreDeps {
  /** What this process has claimed: what it does next is mostly about that. */
  readonly known: Map<string, KnownTask>;
}

/**
 * As it was stored last, with those that waited for it then. A new dependent has moved its version, so that a change
 * decided on this is refused, and decided anew.
 */
interface KnownTask {
  readonly task: TaskRecord;
  readonly dependents: readonly TaskRecord[];
}

const MAX_KNOWN = 256;

/**
 * The task queue over any backend. Each change is decided on the stored record, and stored only if that is unchanged.
 */
export function createTaskQueue({ isGone, ...deps }: StoreDeps): TaskQueue {
  const { backend } = deps;
  const known = new Map<string, KnownTask>();
  const queue: Queue =
    backend.isShared === true || isGone === undefined ? { ...deps, known } : { ...deps, isGone, known };
  const changeTask = (id: string, command: TaskCommand) => change(queue, id, command);
  return {
    add: async (tasks) => (tasks.length === 0 ? [] : add(queue, tasks)),
    claim: (request) => claim(queue, request),
    expire: () => expire(queue),
    async heartbeat({ id, fence, leaseMs }) {
      checkTaskId(id);
      checkLease(leaseMs);
      return (await backend.renewLease({ id, fence, until: (await leaseTime(queue)) + leaseMs })) ? 'renewed' : 'lost';
    },
    complete: async ({ result, ...held }) => {
      if (result !== undefined) checkText('result', result);
      return changeTask(held.id, {
        type: 'complete',
        ...held,
        ...(result !== undefined && { result: redactText(result) }),
      });
    },
    fail: async ({ reason, ...held }) => {
      checkText('reason', reason);
      return changeTask(held.id, { type: 'fail', ...held, reason: redactText(reason) });
    },
    block: async ({ reason, ...held }) => {
      checkText('reason', reason);
      return changeTask(held.id, { type: 'block', ...held, reason: redactText(reason) });
    },
    unblock: (id) => changeTask(id, { type: 'unblock' }),
    release: (held) => changeTask(held.id, { type: 'release', ...held }),
    retry: (id) => changeTask(id, { type: 'retry' }),
    edit: async ({ id, intent, description, priority }) => {
      checkTaskEdit({ id, intent, description, priority });
      return changeTask(id, {
        type: 'edit',
        ...(intent === undefined ? {} : { intent: redactText(intent) }),
        ...(description === undefined ? {} : { description: redactText(description) }),
        ...(priority === undefined ? {} : { priority }),
      });
    },
    remove: (id) => changeTask(id, { type: 'remove' }),
    startable: (limit) => backend.claimableTasks(limit),
    async freedBy(id) {
      checkTaskId(id);
      const dependents = await backend.dependentsOf(id);
      return dependents.filter(({ status, open_dependencies: open }) => status === 'pending' && open.length === 0);
    },
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

/** `at` is the time that the change was decided with, so that the record and its event agree. */
const store = ({ backend, newId }: Queue, change: Omit<Commit, 'id'>) => backend.commit({ id: newId(), ...change });

const leaseTime = ({ backend, clock }: Queue) => backend.leaseTime(clock);

async function change(queue: Queue, id: string, command: TaskCommand): Promise<TaskOutcome> {
  const { backend, clock } = queue;
  checkTaskId(id);
  const remembered = takeKnown(queue, id);
  if (remembered !== undefined) {
    const now = command.type === 'claim' ? await leaseTime(queue) : clock.now();
    const decision = decideTask(remembered.task, command, now);
    // What does not fit the record that was stored last is decided anew on what is stored now.
    const outcome =
      decision.status === 'changed' ? await storeChange(queue, { ...remembered, command, now, decision }) : undefined;
    if (outcome !== undefined) return outcome;
  }
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const isClaim = command.type === 'claim';
    const [[task], now, dependents] = await Promise.all([
      backend.loadTasks([id]),
      isClaim ? leaseTime(queue) : clock.now(),
      isClaim ? backend.dependentsOf(id) : undefined,
    ]);
    if (task === undefined) return { status: 'refused', reason: 'unknown', message: `there is no task ${id}` };
    const decision = decideTask(task, command, now);
    if (decision.status === 'refused') return decision;
    if (decision.status === 'unchanged') return { status: 'ok', task };
    const outcome = await storeChange(queue, { task, command, now, decision, dependents });
    if (outcome !== undefined) return outcome;
  }
  throw new StoreContendedError(`task ${id} was changed by others ${MAX_TRIES} times in a row; try again`);
}

function takeKnown({ known }: Queue, id: string): KnownTask | undefined {
  const task = known.get(id);
  known.delete(id);
  return task;
}

function remember({ known }: Queue, task: KnownTask): void {
  const [oldest] = known.size >= MAX_KNOWN ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  known.set(task.task.id, task);
}

interface Change {
  readonly task: TaskRecord;
  readonly command: TaskCommand;
  readonly now: number;
  readonly decision: Extract<TaskDecision, { status: 'changed' }>;
  /** Where they were read already. */
  readonly dependents?: readonly TaskRecord[] | undefined;
}

/** `undefined`: another writer was faster, and it is to be decided again. */
async function storeChange(queue: Queue, change: Change): Promise<TaskOutcome | undefined> {
  const { task, command, now, decision } = change;
  const { id } = task;
  // A task that was not done and will not be changes nothing for those that wait for it.
  const isTheirs = command.type === 'remove' || task.status === 'done' || decision.task.status === 'done';
  const dependents = isTheirs ? (change.dependents ?? (await queue.backend.dependentsOf(id))) : [];
  if (command.type === 'remove') {
    const waiting = dependents.filter((other) => other.open_dependencies.includes(id)).map((other) => other.id);
    const message = `${waiting.join(', ')} depends on ${id}; remove that first`;
    if (waiting.length > 0) return { status: 'refused', reason: 'wrong-status', message };
  }
  const others = command.type === 'remove' ? [] : dependentChanges(decision.task, dependents);
  const after = command.type === 'remove' ? null : decision.task;
  const own = { stream: taskStream(id), expectedVersion: task.version, events: [decision.event] };
  const theirs = others.map(({ before, event }) => ({
    stream: taskStream(before.id),
    expectedVersion: before.version,
    events: [event],
  }));
  const tasks = [{ before: task, after }, ...others];
  const result = await store(queue, { at: now, streams: [own, ...theirs], tasks });
  if (!result.committed) return undefined;
  if (command.type === 'claim' && change.dependents !== undefined)
    remember(queue, { task: decision.task, dependents: change.dependents });
  return { status: 'ok', task: decision.task };
}

/** Claimed by an expired lease, or by a holder known to be gone. */
async function abandoned(queue: Queue): Promise<readonly TaskRecord[]> {
  const { backend, isGone } = queue;
  const expired = await backend.expiredTasks(await leaseTime(queue), EXPIRED_AT_ONCE);
  if (isGone === undefined) return expired;
  const ids = new Set(expired.map(({ id }) => id));
  const { tasks: held } = await backend.listTasks({ statuses: ['in_progress'], limit: HELD_AT_ONCE });
  return [...expired, ...held.filter(({ id, lease }) => !ids.has(id) && lease !== undefined && isGone(lease.by))];
}

async function expire(queue: Queue): Promise<readonly string[]> {
  const given: string[] = [];
  for (const task of await abandoned(queue)) {
    const now = queue.clock.now();
    const decision = decideTask(task, { type: 'expire' }, now);
    if (decision.status !== 'changed' || task.lease === undefined) continue;
    const stream = { stream: taskStream(task.id), expectedVersion: task.version, events: [decision.event] };
    const result = await store(queue, {
      at: now,
      streams: [stream],
      tasks: [{ before: task, after: decision.task }],
      lease: { id: task.id, until: task.lease.until },
    });
    if (result.committed) given.push(task.id);
  }
  return given;
}

async function claim(queue: Queue, { by, leaseMs, id, after, labels }: ClaimRequest): Promise<ClaimOutcome> {
  checkHolder(by);
  checkLease(leaseMs);
  const command = { type: 'claim', by: redactText(by), leaseMs } as const;
  if (id !== undefined) return claimOne(queue, id, after === undefined ? command : { ...command, after });
  await expire(queue);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const candidates = await startableWith(queue.backend, labels);
    if (candidates.length === 0) return { status: 'nothing-to-do' };
    for (const candidate of candidates) {
      const now = await leaseTime(queue);
      const decision = decideTask(candidate, command, now);
      if (decision.status !== 'changed') continue;
      const stream = {
        stream: taskStream(candidate.id),
        expectedVersion: candidate.version,
        events: [decision.event],
      };
      const result = await store(queue, {
        at: now,
        streams: [stream],
        tasks: [{ before: candidate, after: decision.task }],
      });
      if (result.committed) return { status: 'claimed', task: decision.task, fence: decision.task.fence };
    }
  }
  throw new StoreContendedError(`others were faster ${MAX_TRIES} times in a row; try again`);
}

async function add(queue: Queue, tasks: readonly NewTask[]): Promise<readonly TaskRecord[]> {
  if (tasks.length > MAX_TASKS_AT_ONCE) throw new StoreInputError('tasks', `at most ${MAX_TASKS_AT_ONCE} at once`);
  for (const task of tasks) checkNewTask(task);
  const order = orderByDependency(tasks);
  if (!order.ok) throw new StoreInputError('dependencies', `no circle; there is one: ${order.circle.join(' → ')}`);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const now = queue.clock.now();
    const { records, dependencies } = await newRecords(order.items, { backend: queue.backend, now });
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
    const result = await store(queue, { at: now, streams: [...told, ...added], tasks: changes });
    if (result.committed) return records;
  }
  throw new StoreContendedError(`others were faster ${MAX_TRIES} times in a row; try again`);
}

/** Its holder may be gone: then it is free. */
async function claimOne(queue: Queue, id: string, command: TaskCommand): Promise<ClaimOutcome> {
  const outcome = await change(queue, id, command);
  if (outcome.status === 'ok' || outcome.reason !== 'wrong-status') return asClaim(outcome);
  await expire(queue);
  return asClaim(await change(queue, id, command));
}

/** The first that a machine with these labels may begin; all of them are looked at before none is. */
async function startableWith(
  backend: StoreDeps['backend'],
  labels: readonly string[] | undefined,
): Promise<readonly TaskRecord[]> {
  for (let limit = CLAIM_CANDIDATES; ; limit *= 8) {
    const found = await backend.claimableTasks(limit);
    if (labels === undefined) return found;
    const fitting = found.filter(({ needs }) => hasLabels(labels, needs)).slice(0, CLAIM_CANDIDATES);
    if (fitting.length > 0 || found.length < limit) return fitting;
  }
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
    if (known.has(task.id)) throw new StoreInputError('task id', `a free one; there is a task ${task.id} already`);
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
      ...(task.base !== undefined && { base: task.base }),
      ...(task.needs !== undefined && task.needs.length > 0 && { needs: [...new Set(task.needs)].sort() }),
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

function addedEvents(task: TaskRecord): readonly NewEvent[] {
  const { intent, description, depends_on, priority, base, needs, reason } = task;
  const data = {
    intent,
    ...(description !== undefined && { description }),
    depends_on,
    priority,
    ...(base !== undefined && { base }),
    ...(needs !== undefined && { needs }),
  };
  const added = { type: 'task.added', data };
  return reason === undefined ? [added] : [added, { type: 'task.blocked', data: { intent, reason } }];
}

import type { Output, Parsed } from '@devs/api';
import {
  type Clock,
  messageOf,
  type OpenedStore,
  readMachines,
  readNewest,
  type TaskOutcome,
  type TaskQueue,
} from '@devs/core';
import type { Handlers } from '../served-supervisor.js';
import type { OpenStores } from './open-stores.js';
import { notFound } from './run-handlers.js';

type LogName =
  | 'projects.list'
  | 'machines.list'
  | 'log.read'
  | 'tasks.list'
  | 'tasks.get'
  | 'tasks.add'
  | 'tasks.change';

const MOST = 1_000;
const USUAL = 200;
const atMost = (limit = USUAL): number => Math.min(Math.max(limit, 1), MOST);

export const createLogHandlers = (stores: OpenStores, clock: Clock): Pick<Handlers, LogName> => ({
  async 'projects.list'() {
    const places = await stores.places();
    return {
      projects: await Promise.all(
        places.map(async ({ root, location }) => ({ root, location, ...(await positionIn(stores, root)) })),
      ),
    };
  },
  'machines.list': ({ project }) => stores.use(project, ({ store }) => machinesOf(store, clock.now())),
  'log.read': ({ project, ...query }) => stores.use(project, (opened) => readPage(opened, query)),
  'tasks.list': ({ project, status, text, offset, limit }) =>
    stores.use(project, ({ store }) =>
      store.tasks.list({
        limit: atMost(limit),
        ...(status === undefined ? {} : { statuses: [status] }),
        ...(text === undefined ? {} : { text }),
        ...(offset === undefined ? {} : { offset }),
      }),
    ),
  'tasks.get': ({ project, task: id }) =>
    stores.use(project, async ({ store }) => {
      const task = await store.tasks.get(id);
      if (task === undefined) throw notFound(`task ${id}`);
      return task;
    }),
  'tasks.add': ({ project, tasks }) =>
    stores.use(project, async ({ store }) => ({ tasks: await store.tasks.add(tasks) })),
  'tasks.change': ({ project, task, change }) =>
    stores.use(project, ({ store }) => performChange(store.tasks, task, change)),
});

async function machinesOf(store: OpenedStore['store'], now: number): Promise<Output<'machines.list'>> {
  const { machines, unmet } = await readMachines(store, now);
  return {
    machines: machines.map(({ version: _, lostAfterMs: __, aliveUntil: ___, ...shown }) => shown),
    unmet,
  };
}

/** The user acts, who needs no claim. */
function performChange(tasks: TaskQueue, id: string, change: Parsed<'tasks.change'>['change']): Promise<TaskOutcome> {
  switch (change.to) {
    case 'done':
      return tasks.complete({ id, ...(change.result === undefined ? {} : { result: change.result }) });
    case 'failed':
      return tasks.fail({ id, reason: change.reason });
    case 'blocked':
      return tasks.block({ id, reason: change.reason });
    case 'unblocked':
      return tasks.unblock(id);
    case 'retried':
      return tasks.retry(id);
    case 'released':
      return tasks.release({ id });
    case 'edited': {
      const { to: _, ...edit } = change;
      return tasks.edit({ id, ...edit });
    }
    case 'removed':
      return tasks.remove(id);
  }
}

type LogQuery = Omit<Parsed<'log.read'>, 'project'>;

async function readPage(
  { store }: OpenedStore,
  { after, before, limit, stream }: LogQuery,
): Promise<Output<'log.read'>> {
  const end = (await store.state()).position;
  const most = atMost(limit);
  if (after !== undefined) {
    const events = await store.log.read({ after, limit: most, ...(stream === undefined ? {} : { stream }) });
    const isAll = events.length < most;
    const last = events.at(-1)?.position ?? after;
    return { events, position: isAll ? Math.max(last, end, after) : last, end };
  }
  const upTo = before === undefined ? end : Math.min(Math.max(before - 1, 0), end);
  return { events: await readNewest(store.log, { limit: most, stream, end: upTo }), position: upTo, end };
}

async function positionIn(
  stores: OpenStores,
  root: string,
): Promise<{ readonly position: number; readonly problem?: string }> {
  try {
    return await stores.use(root, async ({ store }) => ({ position: (await store.state()).position }));
  } catch (error) {
    return { position: 0, problem: messageOf(error) };
  }
}

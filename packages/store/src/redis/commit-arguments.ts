import type { Commit, StreamAppend, TaskChange, TaskRecord } from '@devs/core';

const DAY_SECONDS = 24 * 60 * 60;
/** From the first commit of a day on, so that the last is remembered for a day too. */
const REMEMBERED_SECONDS = 2 * DAY_SECONDS;
const NOTHING = '';
const YES = '1';

type Arguments = readonly (string | number)[];

/** What `commitScript` takes: how long to remember them, how many there are, and each behind the number of its parts. */
export const groupArguments = (commits: readonly Arguments[]): Arguments => [
  REMEMBERED_SECONDS,
  commits.length,
  ...commits.flatMap((commit) => [commit.length, ...commit]),
];

/** A commit as the flat list that `commitScript` takes apart. */
export function commitArguments({ id, at, streams, tasks, lease }: Commit): Arguments {
  const changes = tasks.filter(({ before, after }) => before !== null || after !== null);
  return [
    id,
    Math.floor(at / 1_000 / DAY_SECONDS),
    lease?.id ?? NOTHING,
    lease?.until ?? NOTHING,
    streams.length,
    ...streams.flatMap((append) => streamArguments(append, at)),
    changes.length,
    ...changes.flatMap(taskArguments),
  ];
}

/** What `appendScript` takes; `undefined` for a commit that it cannot store. */
export function appendArguments({ id, at, streams, tasks, lease }: Commit): Arguments | undefined {
  const [append, ...others] = streams;
  if (append === undefined || append.events.length === 0 || others.length + tasks.length > 0 || lease !== undefined)
    return undefined;
  return [append.stream, append.expectedVersion, id, ...eventsOf(append, at)];
}

const streamArguments = (append: StreamAppend, at: number): Arguments => [
  append.stream,
  append.expectedVersion,
  append.events.length,
  ...eventsOf(append, at),
];

const eventsOf = ({ stream, expectedVersion, events }: StreamAppend, at: number): readonly string[] =>
  events.map(({ type, data }, index) =>
    JSON.stringify({ stream, version: expectedVersion + index + 1, at, type, data }),
  );

function taskArguments({ before, after }: TaskChange): Arguments {
  const task = after ?? before;
  if (task === null) return [];
  const isReady = after?.status === 'pending' && after.open_dependencies.length === 0;
  const lease = after?.status === 'in_progress' ? after.lease : undefined;
  return [
    task.id,
    before?.status ?? NOTHING,
    after?.status ?? NOTHING,
    task.priority,
    isReady ? YES : NOTHING,
    task.fence,
    lease?.until ?? NOTHING,
    before?.lease !== undefined && before.fence === after?.fence ? YES : NOTHING,
    after === null ? NOTHING : JSON.stringify(withoutLeaseEnd(after)),
    ...counted(before !== null && after === null ? before.depends_on : []),
    ...counted(after?.depends_on ?? []),
  ];
}

const counted = (ids: readonly string[]) => [ids.length, ...ids];

/** Its end is kept in the index of leases alone, so that a heartbeat does not have to change the record. */
const withoutLeaseEnd = ({ lease, ...task }: TaskRecord) =>
  lease === undefined ? task : { ...task, lease: { by: lease.by } };

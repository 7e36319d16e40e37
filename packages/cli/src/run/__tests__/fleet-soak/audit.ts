import { foldRun, type RunFacts, readAll, runIdOf, type Store, type StoredEvent, type TaskRecord } from '@devs/core';
import { fileOfRun } from './soak-work.js';

export interface Audit {
  readonly tasks: number;
  readonly done: number;
  /** Tasks that were completed or whose run finished more than once, or that had several runs. */
  readonly doubled: readonly string[];
  /** Tasks whose work lacks that of a task which they depend on, or has something else. */
  readonly wrongBase: readonly string[];
  /** Commits that the log says to be at the remote, and that are not in the work of their run. */
  readonly missing: readonly string[];
  readonly continuedElsewhere: number;
  readonly rewound: number;
  readonly events: number;
}

type Git = (...args: readonly string[]) => string;

/** Compares what the log says with what the remote has. */
export async function auditFleet(store: Pick<Store, 'log'>, tasks: readonly TaskRecord[], git: Git): Promise<Audit> {
  const [doubled, wrongBase, missing]: [string[], string[], string[]] = [[], [], []];
  const events: StoredEvent[] = [];
  for await (const event of readAll(store.log, {})) events.push(event);
  const byStream = groupBy(events, ({ stream }) => stream);
  const runs = [...byStream]
    .flatMap(([stream, own]) => {
      const id = runIdOf(stream);
      return id === undefined ? [] : [foldRun(id, own)];
    })
    .filter(({ plan }) => plan !== undefined);
  const runsOf = groupBy(runs, ({ plan }) => plan?.task?.id ?? '');
  const finalOf = (id: string): RunFacts | undefined => runsOf.get(id)?.find(({ phase }) => phase.kind === 'finished');

  for (const { id, depends_on } of tasks) {
    const completed = (byStream.get(`task:${id}`) ?? []).filter(({ type }) => type === 'task.completed').length;
    const ofTask = runsOf.get(id) ?? [];
    const finished = ofTask.flatMap((run) => byStream.get(`run:${run.id}`) ?? []).filter(isFinished).length;
    if (completed > 1 || finished > 1 || ofTask.length > 1)
      doubled.push(`${id}: ${completed}/${finished}/${ofTask.length}`);
    const run = finalOf(id);
    const commit = run?.pushed?.commit;
    if (run === undefined || commit === undefined) continue;
    const ref = `refs/devs/runs/${run.id}`;
    if (commitAtRef(git, ref) !== commit) missing.push(`${id}: ${ref} is not at ${commit}`);
    const said = (byStream.get(`run:${run.id}`) ?? []).filter(({ type }) => type === 'work.pushed');
    for (const { data } of said)
      if (!isAncestor(git, String(data.commit), commit)) missing.push(`${id}: ${data.commit} of ${run.id}`);
    const before = depends_on.flatMap((other) => finalOf(other)?.pushed?.commit ?? `no commit of ${other}`);
    if (before.some((other) => !isAncestor(git, other, commit))) wrongBase.push(`${id}: lacks work`);
    const expected = [
      'README.md',
      ...behind(id, tasks)
        .flatMap((other) => finalOf(other)?.id ?? [])
        .map(fileOfRun),
    ];
    const found = git('ls-tree', '--name-only', commit).split('\n');
    if (found.sort().join() !== expected.sort().join()) wrongBase.push(`${id}: has ${found.join(' ')}`);
  }
  return {
    tasks: tasks.length,
    done: tasks.filter(({ status }) => status === 'done').length,
    doubled,
    wrongBase,
    missing,
    continuedElsewhere: runs.filter(({ id }) => holdersOf(byStream.get(`run:${id}`) ?? []) > 1).length,
    rewound: events.filter(({ type }) => type === 'run.rewound').length,
    events: events.length,
  };
}

const isFinished = ({ type }: StoredEvent): boolean => type === 'run.finished';

const holdersOf = (events: readonly StoredEvent[]): number =>
  new Set(events.filter(({ type }) => type === 'run.held').map(({ data }) => data.machine)).size;

/** A task and all that it depends on, directly or not. */
function behind(id: string, tasks: readonly TaskRecord[]): readonly string[] {
  const found = new Set([id]);
  for (const next of found)
    for (const other of tasks.find((task) => task.id === next)?.depends_on ?? []) found.add(other);
  return [...found];
}

function commitAtRef(git: Git, ref: string): string | undefined {
  try {
    return git('rev-parse', '--verify', '--quiet', ref);
  } catch {
    return undefined;
  }
}

function isAncestor(git: Git, commit: string, of: string): boolean {
  try {
    git('merge-base', '--is-ancestor', commit, of);
    return true;
  } catch {
    return false;
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

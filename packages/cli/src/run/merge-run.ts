import {
  collect,
  foldRun,
  type OpenedStore,
  type RunEvent,
  type RunFacts,
  readAll,
  runEventOf,
  runStream,
} from '@devs/core';
import type { MergeNews } from '@devs/supervisor';
import type { Console } from '../screen/console.js';
import type { OutputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import type { LocalRuns } from './create-runs.js';

/** The branch that the user has checked out gets the work, where nothing of theirs can be lost by it. */
export async function mergeRun(
  id: string,
  { store, runs }: Pick<OpenedStore, 'store'> & { readonly runs: Pick<LocalRuns, 'merge' | 'dropWork'> },
): Promise<MergeNews> {
  const run = foldRun(id, await collect(readAll(store.log, { stream: runStream(id) })));
  if (run.worktree?.branch === undefined)
    return { isMerged: true, text: 'it worked in your own folder; there is nothing to merge.' };
  const outcome = await runs.merge(run);
  if (outcome.outcome === 'merged') {
    const { into, commit, how } = outcome;
    const isEmpty = how === 'nothing-new' && run.commits.length === 0;
    if (how === 'nothing-new' && run.merged !== undefined) return { isMerged: true, ...already(run.merged) };
    if (isEmpty) return { isMerged: true, text: 'There is nothing to merge: nothing was committed.' };
    await append(store, id, { type: 'run.merged', into, commit });
    if (!(await isAwaited(store, run)) && (await runs.dropWork(run).catch(() => false)))
      await append(store, id, { type: 'work.dropped' });
    return { isMerged: true, merged: { into, commit }, text: `Merged into ${into} as ${commit.slice(0, 10)}.` };
  }
  const why =
    outcome.outcome === 'refused'
      ? `${outcome.reason}. ${outcome.advice}`
      : `git: ${outcome.outcome === 'failed' ? outcome.message : outcome.outcome}`;
  return { isMerged: false, text: `not merged: ${visible(why)}` };
}

const already = (merged: NonNullable<RunFacts['merged']>) => ({
  merged,
  text: `Merged before, into ${merged.into} as ${merged.commit.slice(0, 10)}.`,
});

/** Says what came of it. */
export function tellMerge(
  id: string,
  { isMerged, merged, text }: MergeNews,
  { mode, label = '' }: { readonly mode: OutputMode; readonly label?: string },
  { print, warn }: Pick<Console, 'print' | 'warn'>,
): void {
  if (!isMerged) warn(`devs: ${label}${text}`);
  else if (mode === 'json') print(toJson({ run: id, ...(merged === undefined ? {} : { merged }) }));
  else print([`${label}${text}`, ...nextAfter(merged)].join(' '));
}

const nextAfter = (merged: MergeNews['merged']): readonly string[] =>
  merged === undefined ? [] : [`Look at it with \`git show --stat ${merged.commit.slice(0, 10)}\`.`];

export async function removeMergedWorktree(
  id: string,
  { runs, warn }: { readonly runs: Pick<LocalRuns, 'removeWorktree'>; readonly warn: (text: string) => void },
): Promise<void> {
  const removal = await runs.removeWorktree(id);
  if (removal.outcome === 'refused') warn(`devs: its work tree stays: ${visible(removal.reason)}.`);
}

/** Whether a task that is not done yet begins at this work. */
async function isAwaited({ tasks }: OpenedStore['store'], { task }: RunFacts): Promise<boolean> {
  if (task === undefined) return false;
  const open = await tasks.list({ statuses: ['pending', 'in_progress', 'blocked', 'failed'], limit: MAX_TASKS });
  return open.tasks.some(({ depends_on }) => depends_on.includes(task.id));
}

const MAX_TASKS = 100_000;

async function append(store: OpenedStore['store'], id: string, said: RunEvent): Promise<void> {
  const stream = runStream(id);
  for (;;) {
    const event = runEventOf(said);
    const stored = await store.log.append(stream, await store.log.version(stream), [event]);
    if (stored.status === 'appended') return;
  }
}

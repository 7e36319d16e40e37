import { foldRun, runEventOf, runStream } from '@devs/core';
import type { Services } from '../compose.js';
import { collect, readAll } from '../log/read-newest.js';
import type { OutputMode } from '../output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import type { OpenedStore } from '../store-access/with-store.js';

type MergeServices = Pick<Services, 'runs' | 'print' | 'complain'>;

/**
 * The branch that the user has checked out gets the work, where nothing of theirs can be lost by it. Says what came of it. `false`:
 * the work is still on its own branch.
 */
export async function mergeRun(
  id: string,
  { store, mode, label = '' }: Pick<OpenedStore, 'store'> & { readonly mode: OutputMode; readonly label?: string },
  { runs, print, complain }: MergeServices,
): Promise<boolean> {
  const run = foldRun(id, await collect(readAll(store.log, { stream: runStream(id) })));
  if (run.worktree?.branch === undefined) {
    complain(`devs: ${label}it worked in your own folder; there is nothing to merge.`);
    return true;
  }
  const outcome = await runs.merge(run);
  if (outcome.outcome === 'merged') {
    const { into, commit, how } = outcome;
    const isEmpty = how === 'nothing-new' && run.commits.length === 0;
    if (!isEmpty) await append(store, id, { into, commit });
    if (mode === 'json') print(toJson({ run: id, ...(isEmpty ? {} : { merged: { into, commit } }) }));
    else
      print(
        isEmpty
          ? `${label}There is nothing to merge: nothing was committed.`
          : `${label}Merged into ${into} as ${commit.slice(0, 10)}.`,
      );
    return true;
  }
  const why =
    outcome.outcome === 'refused'
      ? `${outcome.reason}. ${outcome.advice}`
      : `git: ${outcome.outcome === 'failed' ? outcome.message : outcome.outcome}`;
  complain(`devs: ${label}not merged: ${visible(why)}`);
  return false;
}

export async function removeMergedWorktree(id: string, { runs, complain }: MergeServices): Promise<void> {
  const removal = await runs.removeWorktree(id);
  if (removal.outcome === 'refused') complain(`devs: its work tree stays: ${visible(removal.reason)}.`);
}

async function append(
  store: OpenedStore['store'],
  id: string,
  merged: { readonly into: string; readonly commit: string },
): Promise<void> {
  const stream = runStream(id);
  for (;;) {
    const event = runEventOf({ type: 'run.merged', ...merged });
    const stored = await store.log.append(stream, await store.log.version(stream), [event]);
    if (stored.status === 'appended') return;
  }
}

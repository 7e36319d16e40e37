import { type RunFacts, rewindingOf, runStream, type SaidWork } from '@devs/core';
import { discardRun, type Fetched, fetchWork, type MovedWork, runRef } from '@devs/worktree';
import type { OpenedRun } from '../prepare/open-run.js';
import type { Refused } from '../prepare/refused.js';
import type { RunRequest } from '../run.js';
import type { Travel } from './travel.js';

/** What the work tree is made of. */
export interface BroughtWork {
  /** Where a new one begins. */
  readonly at?: readonly SaidWork[];
  /** The state to continue at. */
  readonly moved?: MovedWork;
  /** Nothing of it was said by the machine before: it begins anew. */
  readonly beginsAnew?: true;
}

/**
 * Has the commits that a run begins or continues at in this clone, as they were said in the log. What cannot be had is a
 * refusal: nothing is begun without it.
 */
export async function bringWork(
  request: RunRequest,
  travel: Travel,
  { id, record }: OpenedRun,
): Promise<BroughtWork | Refused> {
  const { facts } = record;
  const { place, clone, signal } = request;
  const { plan, pushed, begun } = facts;
  const fetch = async (work: readonly SaidWork[]): Promise<Refused | undefined> => {
    const fetched = await fetchWork({ folder: place.folder, remote: travel.remote, env: place.env, signal, work });
    return fetched.outcome === 'here' ? undefined : notFetched(travel, id, fetched);
  };
  if (begun === undefined || begun.clone === clone) {
    const at = plan?.at;
    if (at === undefined || facts.worktree !== undefined) return at === undefined ? {} : { at };
    return (await fetch(at)) ?? { at };
  }
  if (pushed !== undefined) {
    const { commit, work } = pushed;
    const missing = await fetch([{ commit: work ?? commit, ref: runRef(id) }]);
    return missing ?? { moved: { commit, ...(work === undefined ? {} : { work }) } };
  }
  if (plan?.at === undefined) return notSaid(facts, travel);
  const missing = await fetch(plan.at);
  if (missing !== undefined) return missing;
  const failure = await discardRun({ folder: place.folder, runId: id, env: place.env, signal });
  if (failure !== undefined)
    return refused(id, `what is left of ${id} here cannot be removed (${failure.outcome})`, 'Try again.');
  return { at: plan.at, beginsAnew: true };
}

/** Takes the workflow back to where the work is that was brought. */
export async function rewind(
  { store }: RunRequest,
  travel: Travel,
  { id, record }: OpenedRun,
  commit: string,
): Promise<void> {
  const events = await store.log.read({ stream: runStream(id), limit: MAX_EVENTS });
  const rewinding = rewindingOf({ events, facts: record.facts, machine: travel.machine, commit });
  if (rewinding !== undefined) await record.append({ type: 'run.rewound', ...rewinding });
  else if (record.facts.head !== commit) await record.append({ type: 'head.observed', commit });
}

const MAX_EVENTS = 1_000_000;

function notFetched({ remote, where }: Travel, id: string, fetched: Exclude<Fetched, { outcome: 'here' }>): Refused {
  if (fetched.outcome === 'gone')
    return refused(
      id,
      `${id} needs commit ${fetched.commit.slice(0, 10)}, and ${remote} (${where}) has it no more in ${fetched.ref}`,
      `Push it from a clone that has it: git push ${remote} ${fetched.commit.slice(0, 10)}:${fetched.ref}.`,
    );
  return refused(
    id,
    `the work that ${id} needs cannot be fetched from ${remote} (${where}): ${fetched.message}`,
    `See that \`git ls-remote ${remote}\` works here.`,
  );
}

const notSaid = ({ id, begun }: RunFacts, { remote }: Travel): Refused =>
  refused(
    id,
    `${id} was begun on ${begun?.machine ?? 'another machine'}, which has pushed nothing of it to ${remote}`,
    `Resume it there, or give it up: devs stop ${id} --give-up.`,
  );

const refused = (runId: string, reason: string, advice: string): Refused => ({
  status: 'refused',
  runId,
  reason,
  advice,
  isElsewhere: true,
});

import type { RunListing, Terminal } from '@devs/api';
import { addMachineEvent, isUnfinished, type KnownMachine, MACHINES_STREAM, type StoredEvent } from '@devs/core/folds';
import type { ProjectState } from './project-fold.js';
import { dependentsOf, reachable } from './task-graph.js';

/** What no log says about runs. */
interface LiveRuns {
  readonly runs: ReadonlyMap<string, RunListing>;
  readonly terminals: readonly Terminal[];
}

/** Why the run of a task does not work on, by the task: an open question, a limit, a pause. Pure. */
export function heldTasks({ runs }: ProjectState, live: LiveRuns): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  for (const { id, facts } of runs.values()) {
    if (facts.task === undefined || !isUnfinished(facts)) continue;
    const { escalation } = facts;
    const ofTerminal = live.terminals.find(({ run }) => run === id)?.waits;
    const why =
      escalation !== undefined && escalation.answer === undefined
        ? `blocked by a question: ${escalation.question}`
        : (live.runs.get(id)?.waits ?? ofTerminal);
    if (why !== undefined) held.set(facts.task.id, why);
  }
  return held;
}

/** The tasks that wait, directly or not, for the task of this run: an answer to its question lets them begin. Pure. */
export function freedByAnswer({ runs, tasks }: ProjectState, run: string): readonly string[] {
  const task = runs.get(run)?.facts.task;
  return task === undefined ? [] : [...reachable(task.id, dependentsOf(tasks))];
}

/** The machines that serve the queue of this log, as far as they have not left. Pure. */
export const servingMachines = (events: readonly StoredEvent[]): readonly KnownMachine[] =>
  [
    ...events
      .filter(({ stream }) => stream === MACHINES_STREAM)
      .reduce(addMachineEvent, new Map<string, KnownMachine>() as ReadonlyMap<string, KnownMachine>)
      .values(),
  ].filter(({ leftAt }) => leftAt === undefined);

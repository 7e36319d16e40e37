import type { StoredEvent } from '../ports/event-log.js';
import { describeStatus } from '../workflow/describe-status.js';
import { createRunFold } from '../workflow/workflow-run.js';
import type { Rewinding } from './run-event.js';
import type { RunFacts } from './run-facts.js';

const MINUTE_MS = 60_000;

interface Moving {
  /** All that is stored of the run. */
  readonly events: readonly StoredEvent[];
  readonly facts: RunFacts;
  /** The machine that continues. */
  readonly machine: string;
  /** The commit that it continues at. */
  readonly commit: string;
}

/**
 * Where the workflow goes back to on another machine: steps that ended after the last push are not in the pushed work,
 * and what follows them must not be built on it. `undefined` where nothing ended since. Pure.
 */
export function rewindingOf({ events, facts, machine, commit }: Moving): Rewinding | undefined {
  const { pushed, begun, phase } = facts;
  const to = pushed?.upTo ?? events.find(({ type }) => type === 'run.prepared')?.version ?? 1;
  const lastOf = (isIt: (type: string) => boolean) =>
    events.findLast(({ type, version }) => version > to && isIt(type))?.version ?? 0;
  const worked = lastOf((type) => CHANGES.has(type) || type === 'run.begun');
  const isBack = lastOf((type) => type === 'run.rewound') > worked;
  const isAllPushed = phase.kind === 'paused' && lastOf((type) => CHANGES.has(type)) === 0;
  if (begun === undefined || isBack || isAllPushed) return undefined;
  const fold = createRunFold();
  fold.add(events.filter(({ version }) => version <= to));
  const since = pushed?.at ?? facts.preparedAt ?? 0;
  const last = lastWork(events);
  const run = fold.run;
  return {
    to,
    commit,
    machine,
    lost: begun.machine ?? begun.by,
    at: run === undefined ? '' : stepOf(describeStatus(run.template, run.state)),
    againMs: Math.max(0, last - since),
  };
}

const stepOf = ({ progress: { step, steps } }: ReturnType<typeof describeStatus>): string =>
  `step ${Math.min(step, steps)}`;

/** Events of the workflow. */
const CHANGES: ReadonlySet<string> = new Set(['step.completed', 'step.failed', 'tasks.set', 'artefacts.registered']);

/** The last sign of the lost machine: its successor has only said that it has the run. */
const lastWork = (events: readonly StoredEvent[]): number =>
  events.findLast(({ type }) => type !== 'run.held')?.at ?? 0;

/** "continued at step 4 on bee after ant was lost; 6 minutes of work done again" */
export function describeRewinding({ at, machine, lost, againMs }: Rewinding): string {
  const minutes = Math.round(againMs / MINUTE_MS);
  const again = minutes === 0 ? 'less than a minute' : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `continued at ${at === '' ? 'its beginning' : at} on ${machine} after ${lost} was lost; ${again} of work done again`;
}

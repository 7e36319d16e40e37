import type { RunListing, Terminal } from '@devs/api';
import {
  describeEvent,
  describePosition,
  describeRun,
  describeStatus,
  isUnfinished,
  terminalsOfRun,
  type WorkflowRun,
} from '@devs/core/folds';
import type { ProjectState, RunState } from './project-fold.js';
import { isQuiet } from './timeline.js';
import { type UsageSample, usageSamples } from './usage-samples.js';

type State = RunListing['state'];

/** A run at a glance. */
export interface RunCard {
  readonly id: string;
  readonly project: string;
  readonly request: string;
  readonly workflow: string;
  readonly agent: string;
  readonly state: State;
  readonly detail: string;
  readonly since: number;
  readonly startedAt?: number;
  /** Where the workflow stands, and how far that is. */
  readonly step?: string;
  readonly progress?: { readonly step: number; readonly steps: number };
  readonly task?: string;
  /** Which machine has it, where several share the store. */
  readonly machine?: string;
  readonly branch?: string;
  readonly merged?: string;
  readonly terminal?: string;
  /** Why its agent is not running, although the run is; devs is about to start it again. */
  readonly agentGone?: string;
  readonly usage?: { readonly usedTokens: number; readonly windowTokens: number };
  readonly mark?: 'low' | 'soft' | 'firm';
  readonly samples: readonly UsageSample[];
  readonly totals: RunListing['totals'];
  readonly lastEvent?: { readonly at: number; readonly text: string };
}

export interface LiveFacts {
  readonly runs: ReadonlyMap<string, RunListing>;
  readonly terminals: readonly Terminal[];
  /** The past has no supervisors: a started run counts as running. */
  readonly isPast: boolean;
}

const ORDER: readonly State[] = ['needs you', 'interrupted', 'paused', 'running'];

/** Every run of a project; those that need the user first, then the newest. Pure. */
export const runCards = (projects: readonly ProjectState[], live: LiveFacts): readonly RunCard[] =>
  projects
    .flatMap((project) =>
      [...project.runs.values()]
        .filter(({ facts }) => facts.plan !== undefined)
        .map((run) => runCard(run, project, live)),
    )
    .sort((a, b) => rank(a) - rank(b) || b.since - a.since);

const rank = ({ state }: RunCard): number => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length);

/** Pure. */
function runCard(run: RunState, project: ProjectState, live: LiveFacts): RunCard {
  const { facts, events, workflow } = run;
  const { phase, preparedAt, worktree, task, merged, totals } = facts;
  const terminal = terminalsOfRun(events).at(-1);
  const samples = terminal === undefined ? [] : usageSamples(project.terminals.get(terminal) ?? []);
  const there = live.terminals.find(({ name, run: of }) => name === terminal && of === run.id);
  const usage = there?.usage ?? samples.at(-1);
  const last = events.findLast((event) => !isQuiet(event));
  return {
    ...describeRun(facts, isSupervised(run, live)),
    ...(phase.kind === 'finished' ? { state: phase.outcome, detail: phase.detail } : {}),
    project: project.root,
    ...(preparedAt === undefined ? {} : { startedAt: preparedAt }),
    ...(workflow === undefined ? {} : whereIs(workflow)),
    ...(task === undefined ? {} : { task: task.id }),
    ...(worktree?.branch === undefined ? {} : { branch: worktree.branch }),
    ...(merged === undefined ? {} : { merged: merged.into }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(there?.activity === 'exited' ? { agentGone: there.waits ?? there.detail } : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(there?.mark === undefined ? {} : { mark: there.mark }),
    samples,
    totals,
    ...(last === undefined ? {} : { lastEvent: { at: last.at, text: describeEvent(last) } }),
  };
}

function isSupervised({ id, facts }: RunState, { runs, isPast }: LiveFacts): boolean {
  if (isPast) return facts.phase.kind === 'begun';
  return isUnfinished(facts) && runs.get(id)?.state === 'running';
}

function whereIs({ template, state }: WorkflowRun): Pick<RunCard, 'step' | 'progress'> {
  const { length: steps } = template.steps;
  if (state.status === 'failed')
    return { progress: { step: template.steps.findIndex(({ id }) => id === state.step), steps } };
  if (state.status !== 'running') return { progress: { step: steps, steps } };
  const status = describeStatus(template, state);
  return { step: describePosition(status), progress: { step: status.progress.step - 1, steps: status.progress.steps } };
}

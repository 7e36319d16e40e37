import { WorkflowInputError } from '../errors/workflow-input-error.js';
import { eventOf, newEvent } from '../event-log/define-stream.js';
import type { NewEvent, StoredEvent } from '../ports/event-log.js';
import type { ContextActionProgress } from './context-action.js';
import { outputKey } from './output-key.js';
import { createTrail } from './trail.js';
import { initialState, transition, type WorkflowEvent } from './transition.js';
import type { StepContextAction, Task, WorkflowState, WorkflowTemplate } from './types.js';

/** One execution of a workflow in one worktree, folded from the stream `run:<id>`. */
export interface WorkflowRun {
  readonly id: string;
  /** How many events of its stream it has taken in. */
  readonly version: number;
  /** The definition at its start, even if the file has changed. */
  readonly template: WorkflowTemplate;
  readonly source: { readonly path: string; readonly digest: string };
  readonly state: WorkflowState;
  /** The visit that the last `step.completed` or `step.failed` has ended: a request that is repeated is about this one. */
  readonly lastEnded?: number;
  /** Of the current position, while a supervisor is at it. */
  readonly contextAction?: ContextActionProgress;
  /**
   * How the context action of the current position ended. `asked`: the agent was asked and may not have seen it;
   * `heard`: it continued since.
   */
  readonly contextActionEnd?: 'asked' | 'heard' | 'observed' | 'abandoned';
  /** The supervisor needs an idle agent: the agent will pause at the next end of a step. */
  readonly turnEndWanted?: true;
  /** The clone that works on it, on a store that several machines share: no other may change it. */
  readonly heldIn?: string;
}

export interface RunStart {
  readonly template: WorkflowTemplate;
  readonly source: { readonly path: string; readonly digest: string };
  readonly summary?: string;
}

export const runStream = (id: string): string => `run:${id}`;

export const runStarted = ({ template, source, summary }: RunStart): NewEvent =>
  newEvent({ type: 'workflow.started', template, source, ...(summary !== undefined && { summary }) });

/** The same names in the log as in {@link transition}; `visit` and `at` tell which position was meant. */
export const runEvent = (
  state: WorkflowState,
  event: Exclude<WorkflowEvent, { type: 'context-action.settled' }>,
): NewEvent => newEvent({ visit: state.visit, at: outputKey(state), ...event });

/** What happens to a context action: `asked` where the agent itself has to do it, the others under a supervisor. */
export type ContextActionEvent =
  | { readonly type: 'context-action.asked'; readonly action: StepContextAction }
  | { readonly type: 'context-action.heard' }
  | { readonly type: 'context-action.requested'; readonly action: StepContextAction }
  | { readonly type: 'context-action.performed'; readonly attempt: number; readonly how: string }
  | { readonly type: 'context-action.observed'; readonly evidence: string }
  | { readonly type: 'context-action.abandoned'; readonly reason: string };

export const contextActionEvent = (visit: number, { type, ...data }: ContextActionEvent): NewEvent => ({
  type,
  data: { visit, ...data },
});

/** A run that grows with the events of its stream. */
export interface RunFold {
  readonly run: WorkflowRun | undefined;
  add(events: readonly StoredEvent[]): WorkflowRun | undefined;
}

/**
 * Outputs, possibly thousands, decide nothing. They are kept in one growing object, shared with earlier states of the
 * run: copying them for each event costs more than all the rest.
 */
export function createRunFold(): RunFold {
  const outputs: Record<string, string> = {};
  const trail = createTrail(outputs);
  let run: WorkflowRun | undefined;
  return {
    get run() {
      return run;
    },
    add(events) {
      for (const event of events) {
        if (event.type === 'run.rewound' && run !== undefined) {
          run = withOutputs(trail.rewind(run, event), outputs);
          continue;
        }
        const next = reduceWorkflowRun(run && withOutputs(run, {}), event);
        if (next !== undefined) trail.add(next, event);
        Object.assign(outputs, next?.state.outputs);
        run = next && withOutputs(next, outputs);
      }
      return run;
    },
  };
}

const withOutputs = (run: WorkflowRun, outputs: Readonly<Record<string, string>>): WorkflowRun => ({
  ...run,
  state: { ...run.state, outputs },
});

/** The run after one more event of its stream. Events of other kinds, also of later versions, only count. */
export function reduceWorkflowRun(run: WorkflowRun | undefined, event: StoredEvent): WorkflowRun | undefined {
  if (run === undefined) return event.type === 'workflow.started' ? startRun(event) : undefined;
  const next = { ...run, version: event.version };
  const data = event.data as Readonly<Record<string, unknown>>;
  switch (event.type) {
    case 'step.completed':
      return { ...applied(next, { type: event.type, output: String(data['output']) }), lastEnded: run.state.visit };
    case 'step.failed':
      return { ...applied(next, { type: event.type, reason: String(data['reason']) }), lastEnded: run.state.visit };
    case 'tasks.set':
      return applied(next, { type: event.type, loop: String(data['loop']), tasks: data['tasks'] as readonly Task[] });
    case 'artefacts.registered':
      return applied(next, { type: event.type, paths: data['paths'] as readonly string[] });
    case 'run.held':
      return typeof data['clone'] === 'string' ? { ...next, heldIn: data['clone'] } : next;
    case 'turn-end.wanted':
      return { ...next, turnEndWanted: true };
    case 'turn-end.settled':
      return withoutTurnEnd(next);
    default:
      // What comes late, for a position that was left, changes nothing.
      return data['visit'] === run.state.visit ? withContextAction(next, event) : next;
  }
}

function withoutTurnEnd({ turnEndWanted: _, ...run }: WorkflowRun): WorkflowRun {
  return run;
}

function startRun(stored: StoredEvent): WorkflowRun {
  const { stream, version } = stored;
  const { template, source, summary } = eventOf<RunStart & { type: string }>(stored);
  return { id: stream.slice(runStream('').length), version, template, source, state: initialState(template, summary) };
}

function applied({ contextAction, contextActionEnd, ...run }: WorkflowRun, event: WorkflowEvent): WorkflowRun {
  const result = transition(run.template, run.state, event);
  // Events are only stored after they were accepted, so this is a history that no writer of ours has made.
  if (!result.ok) throw new WorkflowInputError('STATE_MISMATCH', `run ${run.id}: ${result.refusal.message}`);
  const isHere = result.state.visit === run.state.visit;
  return {
    ...run,
    state: result.state,
    ...(isHere && contextAction !== undefined && { contextAction }),
    ...(isHere && contextActionEnd !== undefined && { contextActionEnd }),
  };
}

function withContextAction(run: WorkflowRun, { type, data, at }: StoredEvent): WorkflowRun {
  switch (type) {
    case 'context-action.requested':
      return { ...run, contextAction: { phase: 'requested', action: data['action'] as StepContextAction, since: at } };
    case 'context-action.performed': {
      const { contextAction } = run;
      if (contextAction === undefined) return run;
      const attempt = Number(data['attempt']);
      return { ...run, contextAction: { phase: 'performed', action: contextAction.action, since: at, attempt } };
    }
    case 'context-action.asked':
      return ended(run, 'asked');
    case 'context-action.heard':
      return run.contextActionEnd === 'asked' ? { ...run, contextActionEnd: 'heard' } : run;
    case 'context-action.observed':
      return ended(run, 'observed');
    case 'context-action.abandoned': {
      const notice = `The context action of this step was given up: ${String(data['reason'])}`;
      const { state, ...rest } = ended(run, 'abandoned');
      return { ...rest, state: { ...state, notices: [...(state.notices ?? []), notice] } };
    }
    default:
      return run;
  }
}

function ended(run: WorkflowRun, contextActionEnd: NonNullable<WorkflowRun['contextActionEnd']>): WorkflowRun {
  const { contextAction: _, ...rest } = applied(run, { type: 'context-action.settled' });
  return { ...rest, contextActionEnd };
}

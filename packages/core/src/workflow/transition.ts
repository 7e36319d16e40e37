import { assertNever } from '../assert-never.js';
import { enter, enterStep, withTasks } from './enter.js';
import { outputKey } from './output-key.js';
import { failurePolicyAt, type Position, positionOf } from './position.js';
import { refused, type WorkflowRefusal } from './refusal.js';
import { setTasks } from './set-tasks.js';
import type { Task, TaskProgress, WorkflowState, WorkflowTemplate } from './types.js';

export type WorkflowEvent =
  | { readonly type: 'step.completed'; readonly output: string }
  | { readonly type: 'step.failed'; readonly reason: string }
  | { readonly type: 'tasks.set'; readonly loop: string; readonly tasks: readonly Task[] }
  | { readonly type: 'artefacts.registered'; readonly paths: readonly string[] }
  | { readonly type: 'context-action.settled' };

export type Transition =
  | { readonly ok: true; readonly state: WorkflowState }
  | { readonly ok: false; readonly refusal: WorkflowRefusal };

/** The state after one more event, or why it is refused. Performs nothing. */
export function transition(template: WorkflowTemplate, state: WorkflowState, event: WorkflowEvent): Transition {
  switch (event.type) {
    case 'artefacts.registered':
      return moved({ ...state, artefacts: [...new Set([...state.artefacts, ...event.paths])] });
    case 'context-action.settled':
      return moved(state.contextActionExecuted ? state : { ...state, contextActionExecuted: true });
    default:
  }
  if (state.status !== 'running')
    return refused('NOT_RUNNING', `The workflow is ${state.status}; nothing is left to do.`);
  switch (event.type) {
    case 'step.completed':
      return completeStep(template, state, event.output);
    case 'step.failed':
      return moved(failStep(template, state, event.reason));
    case 'tasks.set':
      return setTasks(template, state, event);
    default:
      return assertNever(event);
  }
}

export const initialState = (template: WorkflowTemplate, summary?: string): WorkflowState =>
  enterStep(
    template,
    {
      status: 'running',
      step: template.steps[0].id,
      stepType: template.steps[0].type,
      tasks: {},
      outputs: {},
      artefacts: [],
      contextActionExecuted: false,
      visit: 0,
      ...(summary !== undefined && { summary }),
    },
    0,
  );

function completeStep(template: WorkflowTemplate, before: WorkflowState, output: string): Transition {
  const at = positionOf(template, before);
  const { step, index, subSteps, tasks, task, subStep } = at;
  if (step.type === 'loop' && tasks === undefined) {
    return refused(
      'TASKS_NOT_SET',
      `Loop step '${step.id}' has no tasks yet. Call workflow_set_tasks with loopId '${step.id}' first; an empty list skips it.`,
    );
  }
  const state = { ...before, outputs: { ...before.outputs, [outputKey(before)]: output } };
  if (step.type === 'action') return moved(enterStep(template, state, index + 1));
  if (step.type === 'ralph') {
    const iteration = state.ralphIteration ?? 1;
    if (iteration >= (step.n ?? 1)) return moved(enterStep(template, state, index + 1));
    return moved(enter(state, step, { ralphIteration: iteration + 1 }, []));
  }
  const next = subSteps[subSteps.findIndex(({ id }) => id === subStep?.id) + 1];
  if (next !== undefined && state.task !== undefined && task !== undefined)
    return moved(enter(state, step, { task: state.task, subStep: next.id }, []));
  return moved(enterStep(template, withStatus(state, at, 'done'), index));
}

function failStep(template: WorkflowTemplate, state: WorkflowState, reason: string): WorkflowState {
  const at = positionOf(template, state);
  const { onFail, retries } = failurePolicyAt(at);
  const attempt = state.retry?.attempt ?? 1;
  const name = describePlace(at, state);
  if (onFail === 'retry' && attempt <= retries) {
    const { task, subStep, ralphIteration } = state;
    return enter(
      state,
      at.step,
      {
        ...(task !== undefined && { task }),
        ...(subStep !== undefined && { subStep }),
        ...(ralphIteration !== undefined && { ralphIteration }),
        retry: { attempt: attempt + 1, reason },
      },
      [],
    );
  }
  if (onFail === 'skip') {
    const skipped = [`${name} was skipped, because it failed: ${reason}`];
    if (at.task === undefined) return enterStep(template, state, at.index + 1, skipped);
    return enterStep(template, withStatus(state, at, 'failed'), at.index, skipped);
  }
  const tried = onFail === 'retry' ? `${name} failed ${attempt} times, the last time with: ` : '';
  const failed = at.task === undefined ? state : withStatus(state, at, 'failed');
  return {
    ...failed,
    status: 'failed',
    visit: state.visit + 1,
    failure: { at: outputKey(state), reason: `${tried}${reason}` },
  };
}

function withStatus(state: WorkflowState, { step, tasks = [], task }: Position, status: TaskProgress): WorkflowState {
  return withTasks(
    state,
    step.id,
    tasks.map((other) => (other === task ? { ...other, status } : other)),
  );
}

function describePlace({ step, task, subStep }: Position, { ralphIteration }: WorkflowState): string {
  if (task !== undefined) return `Task '${task.id}' (sub-step '${subStep?.id ?? ''}' of '${step.id}')`;
  return ralphIteration === undefined ? `Step '${step.id}'` : `Step '${step.id}' (iteration ${ralphIteration})`;
}

const moved = (state: WorkflowState): Transition => ({ ok: true, state });

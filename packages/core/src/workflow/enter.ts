import { isFinished } from './check-tasks.js';
import { tasksOf } from './position.js';
import { resolveLoop } from './resolve-loop.js';
import type { Task, WorkflowState, WorkflowStep, WorkflowTemplate } from './types.js';

/** Positions within a step. */
type Place = Pick<WorkflowState, 'task' | 'subStep' | 'ralphIteration' | 'retry'>;

/** The only function that changes the position: everything that belongs to the old one ends here. */
export function enter(
  state: WorkflowState,
  step: WorkflowStep,
  place: Place,
  notices: readonly string[],
): WorkflowState {
  const { task: _task, subStep: _subStep, ralphIteration: _ralph, retry: _retry, notices: _notices, ...rest } = state;
  const { currentStepArtefacts: _artefacts, ...lasting } = rest;
  return {
    ...lasting,
    step: step.id,
    stepType: step.type,
    ...place,
    ...(step.artefacts !== undefined && { currentStepArtefacts: step.artefacts }),
    ...(notices.length > 0 && { notices }),
    contextActionExecuted: false,
    visit: state.visit + 1,
  };
}

/**
 * The beginning of the step at `index`, or of the next one with work; after the last one the workflow is complete and
 * keeps its position.
 */
export function enterStep(
  template: WorkflowTemplate,
  before: WorkflowState,
  index: number,
  notices: readonly string[] = [],
): WorkflowState {
  let state = before;
  const told = [...notices];
  for (const step of template.steps.slice(index)) {
    if (step.type === 'ralph') return enter(state, step, { ralphIteration: 1 }, told);
    if (step.type === 'action' || tasksOf(state, step.id) === undefined) return enter(state, step, {}, told);
    const next = nextTask(template, state, step);
    told.push(...next.givenUp);
    if (next.place !== undefined) return enter(next.state, step, next.place, told);
    told.push(...skipped(before, step, next.count));
    state = next.state;
  }
  return complete(state, told);
}

function nextTask(template: WorkflowTemplate, state: WorkflowState, step: WorkflowStep) {
  const { tasks, givenUp } = giveUpDependents(tasksOf(state, step.id) ?? []);
  const index = tasks.findIndex(({ status }) => !isFinished(status));
  const task = tasks[index];
  const first = resolveLoop(template, step)?.[0];
  if (task === undefined || first === undefined)
    return { state: withTasks(state, step.id, tasks), givenUp, count: tasks.length };
  const begun = tasks.map((other) => (other === task ? { ...task, status: 'in_progress' as const } : other));
  const place = { task: { index, id: task.id, title: task.title }, subStep: first.id };
  return { state: withTasks(state, step.id, begun), givenUp, place, count: tasks.length };
}

/** A loop that was worked on is over, and nothing has to be said about it. */
function skipped(before: WorkflowState, step: WorkflowStep, count: number): readonly string[] {
  const isOver = count > 0 && before.step === step.id && before.task !== undefined;
  return isOver ? [] : [`Loop step '${step.id}' was skipped: it has no ${count === 0 ? '' : 'open '}tasks.`];
}

export const withTasks = (state: WorkflowState, step: string, tasks: readonly Task[]): WorkflowState => ({
  ...state,
  tasks: { ...state.tasks, [step]: tasks },
});

/** What depends on a failed task cannot be done, nor what depends on that. They are in order, so one pass finds all. */
function giveUpDependents(tasks: readonly Task[]): { readonly tasks: readonly Task[]; readonly givenUp: string[] } {
  const failed = new Set<string>();
  const givenUp: string[] = [];
  const after = tasks.map((task): Task => {
    const cause = isFinished(task.status) ? undefined : task.depends_on?.find((id) => failed.has(id));
    if (cause !== undefined) givenUp.push(`Task '${task.id}' was given up: it depends on '${cause}', which failed.`);
    if (cause === undefined && task.status !== 'failed') return task;
    failed.add(task.id);
    return { ...task, status: 'failed' };
  });
  return { tasks: after, givenUp };
}

function complete({ notices: _, ...state }: WorkflowState, notices: readonly string[]): WorkflowState {
  return { ...state, status: 'complete', visit: state.visit + 1, ...(notices.length > 0 && { notices }) };
}

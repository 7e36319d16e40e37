import { checkTasks, isFinished } from './check-tasks.js';
import { enterStep, withTasks } from './enter.js';
import { positionOf, tasksOf } from './position.js';
import { refused } from './refusal.js';
import { loopsAtHand, pickLoop } from './resolve-loop.js';
import type { Transition } from './transition.js';
import type { Task, WorkflowState, WorkflowStep, WorkflowTemplate } from './types.js';

/**
 * Sets tasks for a current or future loop. Work continues in place if its task is still in the list and startable;
 * otherwise with the first startable task.
 */
export function setTasks(
  template: WorkflowTemplate,
  state: WorkflowState,
  { loop, tasks: given }: { readonly loop: string; readonly tasks: readonly Task[] },
): Transition {
  const step = findLoopStep(template, loop);
  if (step === undefined) return refused('UNKNOWN_LOOP', unknownLoop(template, loop));
  const index = template.steps.indexOf(step);
  const current = positionOf(template, state);
  if (index < current.index)
    return refused('LOOP_FINISHED', `Loop step '${step.id}' is finished; its tasks stay as they are.`);

  const finished = (tasksOf(state, step.id) ?? []).filter(({ status }) => isFinished(status));
  const checked = checkTasks(given, finished);
  if (!checked.ok) return refused('TASKS_INVALID', checked.message);
  const { tasks } = checked;
  if (index > current.index) return { ok: true, state: withTasks(state, step.id, tasks) };

  const at = tasks.findIndex(({ id, status }) => id === state.task?.id && !isFinished(status));
  const task = tasks[at];
  if (state.task === undefined || task === undefined || !isReady(task, tasks))
    return { ok: true, state: enterStep(template, withTasks(state, step.id, tasks), index) };
  const kept = tasks.map((other) => (other === task ? { ...task, status: 'in_progress' as const } : other));
  return {
    ok: true,
    state: { ...withTasks(state, step.id, kept), task: { index: at, id: task.id, title: task.title } },
  };
}

/** By its own id, or by the name of its loop if no other step repeats it. */
function findLoopStep({ steps, loops = {} }: WorkflowTemplate, loop: string): WorkflowStep | undefined {
  const loopSteps = steps.filter(({ type }) => type === 'loop');
  const atHand = loopsAtHand(Object.keys(loops), loopSteps);
  const byName = () => loopSteps.filter((step) => pickLoop(step, atHand) === loop);
  return loopSteps.find(({ id }) => id === loop) ?? onlyOf(byName());
}

const onlyOf = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);

function unknownLoop({ steps }: WorkflowTemplate, loop: string): string {
  const known = steps.filter(({ type }) => type === 'loop').map(({ id }) => `'${id}'`);
  const offer = known.length === 0 ? 'this workflow has none' : `there is ${known.join(', ')}`;
  return `There is no loop step '${loop}'; ${offer}.`;
}

const isReady = ({ depends_on = [] }: Task, tasks: readonly Task[]) =>
  depends_on.every((id) => tasks.find((other) => other.id === id)?.status === 'done');

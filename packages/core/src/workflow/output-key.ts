import type { WorkflowState } from './types.js';

type Position = Pick<WorkflowState, 'step' | 'stepType' | 'task' | 'subStep' | 'ralphIteration'>;

/** Under which key the output of a position is kept: `step`, `step.<iteration>` or `step.<task>.<subStep>`. */
export function outputKey({ step, stepType, task, subStep, ralphIteration }: Position): string {
  if (stepType === 'ralph') return keyOf(step, String(ralphIteration ?? 1));
  if (task !== undefined && subStep !== undefined) return keyOf(step, task.id, subStep);
  return keyOf(step);
}

/** Dots within an id are marked, so that a step `r.1` and the first iteration of `r` have different keys. */
const keyOf = (...parts: readonly string[]) => parts.map((part) => part.replace(/[\\.]/g, '\\$&')).join('.');

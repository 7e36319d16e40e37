import type { LoopStep, WorkflowStep, WorkflowTemplate } from './types.js';

/** The sub-steps that a loop step repeats, or `undefined` where the template has no loop for it. */
export function resolveLoop(template: WorkflowTemplate, step: WorkflowStep): readonly LoopStep[] | undefined {
  const loops = template.loops ?? {};
  const id = findLoopId(step, Object.keys(loops), template.steps);
  return id === undefined ? undefined : loops[id];
}

/** The id of the loop that belongs to a loop step of these steps. */
const findLoopId = (
  step: NamedStep,
  loopIds: readonly string[],
  steps: readonly Pick<WorkflowStep, 'type'>[],
): string | undefined => pickLoop(step, loopsAtHand(loopIds, steps));

export interface LoopsAtHand {
  readonly ids: ReadonlySet<string>;
  /** The loop that a step means without naming it: there is no other one, and no other step that could mean it. */
  readonly only: string | undefined;
}

export function loopsAtHand(loopIds: readonly string[], steps: readonly { readonly type?: unknown }[]): LoopsAtHand {
  const unmistakable = loopIds.length === 1 && steps.filter(({ type }) => type === 'loop').length === 1;
  return { ids: new Set(loopIds), only: unmistakable ? loopIds[0] : undefined };
}

/** The loop that a step names, else the loop with its id, else the only one. */
export function pickLoop({ id, loop }: NamedStep, { ids, only }: LoopsAtHand): string | undefined {
  if (loop !== undefined) return ids.has(loop) ? loop : undefined;
  return ids.has(id) ? id : only;
}

type NamedStep = Pick<WorkflowStep, 'id' | 'loop'>;

import { type LoopStep, resolveLoop, type WorkflowStep, type WorkflowTemplate } from '@devs/core';

export interface Loop {
  readonly name: string;
  readonly subSteps: readonly LoopStep[];
}

/** What a step repeats; `undefined` for a step that is no loop. */
export function loopOf(template: WorkflowTemplate, step: WorkflowStep): Loop | undefined {
  if (step.type !== 'loop') return undefined;
  const subSteps = resolveLoop(template, step) ?? [];
  const name = Object.entries(template.loops ?? {}).find(([, steps]) => steps === subSteps)?.[0];
  return { name: step.loop ?? name ?? step.id, subSteps };
}

import type { LoopStep, OnFail, WorkflowStep } from '@devs/core';

type Facts = Partial<Omit<WorkflowStep, 'type'>> & Partial<LoopStep> & { readonly type?: WorkflowStep['type'] };

/** What is special about a step, in a few words each. */
export function stepWords(step: Facts, { inLoop = false } = {}): string[] {
  const { agent, context, type, n, on_fail, artefacts } = step;
  return [
    ...(n === undefined ? [] : [`×${n}`]),
    ...(agent === undefined ? [] : [`agent ${agent}`]),
    ...(context === undefined ? [] : [`${context} ${type === undefined ? 'first' : WHEN[type]}`]),
    ...(on_fail === undefined ? [] : [`on failure ${failureWords(on_fail, { ...step, inLoop })}`]),
    ...(artefacts === true ? ['records artefacts'] : []),
  ];
}

const WHEN = { action: 'first', ralph: 'before each time', loop: 'before each sub-step' } as const;

interface FailureFacts {
  readonly retries?: number;
  readonly inLoop: boolean;
}

/** Core's own number where the template names none; a test compares the two. */
const USUAL_RETRIES = 3;

export function failureWords(onFail: OnFail, { retries = USUAL_RETRIES, inLoop }: FailureFacts): string {
  switch (onFail) {
    case 'retry':
      return `retry ×${retries}`;
    case 'skip':
      return inLoop ? 'skip the task' : 'skip';
    case 'abort':
      return 'abort';
  }
}

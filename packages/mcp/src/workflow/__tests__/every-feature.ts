/** Every kind of position with every kind of context action, a retried step, and abandoned tasks. */
export const EVERY_FEATURE = `
name: every-feature
description: All there is
agents:
  reviewer: { description: Reads only, tools: [Read], cannot: [edit files] }
loops:
  build:
    - id: code
      context: clear
      instructions: "Code {task.title}"
    - id: verify
      instructions: "Verify {task.title}"
      on_fail: retry
    - id: tidy
      instructions: Tidy
      on_fail: skip
steps:
  - id: plan
    type: action
    context: clear
    instructions: Plan
  - id: build
    type: loop
    context: compact
  - id: refine
    type: ralph
    n: 2
    context: compact
    instructions: Refine
  - id: review
    type: action
    agent: reviewer
    artefacts: true
    instructions: Review
`;

const TASKS = [
  { id: 'b', title: 'Second', depends_on: ['a'] },
  { id: 'a', title: 'First' },
  { id: 'c', title: 'Third', depends_on: ['b'] },
];

export interface Request {
  readonly name: string;
  readonly input: object;
}

/**
 * An obedient agent. It fails at every first `verify`, and at the `tidy` of the second task; if artefacts are tracked
 * it registers one and leaves a handoff.
 */
export function createAgent(): (answer: Readonly<Record<string, unknown>>) => Request | undefined {
  let hasRegistered = false;
  return (answer) => {
    const { contextAction, status, stepType, task, subStep, retry, artefacts, position } = answer;
    if ('registered' in answer) return { name: 'handoff_write', input: { text: 'Go on with the review.' } };
    if (contextAction !== undefined || 'stored' in answer) return { name: 'workflow_status', input: {} };
    if (status !== 'running') return undefined;
    if (artefacts === true && !hasRegistered) {
      hasRegistered = true;
      return { name: 'workflow_register_artefacts', input: { paths: ['workflow.yaml'] } };
    }
    if (stepType === 'loop' && task === undefined)
      return { name: 'workflow_set_tasks', input: { loopId: 'build', tasks: TASKS } };
    const isSecond = (task as { id: string } | undefined)?.id === 'b';
    const isFailing = (subStep === 'verify' && retry === undefined) || (subStep === 'tidy' && isSecond);
    return isFailing
      ? { name: 'workflow_fail', input: { reason: 'not yet', position } }
      : { name: 'workflow_advance', input: { output: 'done', position } };
  };
}

export const FIRST: Request = { name: 'workflow_start', input: { summary: 'All of it' } };

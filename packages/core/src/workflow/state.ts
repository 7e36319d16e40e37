import { WorkflowInputError } from '../errors/workflow-input-error.js';
import { describeStatus, type WorkflowStatusResponse } from './describe-status.js';
import { agentAt, neededContextAction, positionOf } from './position.js';
import { initialState, transition, type WorkflowEvent } from './transition.js';
import type { LoopStep, StepContextAction, Task, WorkflowState, WorkflowStep, WorkflowTemplate } from './types.js';

/** A workflow at work, for callers who want an object: each method is one {@link transition}. */
export class WorkflowStateMachine {
  readonly #template: WorkflowTemplate;
  #state: WorkflowState;

  constructor(template: WorkflowTemplate) {
    this.#template = template;
    this.#state = initialState(template);
  }

  /** Continues from a saved state with the given template. Completes states of older versions. */
  static fromState(template: WorkflowTemplate, state: WorkflowState): WorkflowStateMachine {
    if (!template.steps.some(({ id }) => id === state.step))
      throw new WorkflowInputError('STATE_MISMATCH', `The workflow '${template.name}' has no step '${state.step}'.`);
    const machine = new WorkflowStateMachine(template);
    machine.#state = { ...machine.#state, ...state, contextActionExecuted: state.contextActionExecuted === true };
    return machine;
  }

  /** From the first step on, discarding any previous state. */
  start(summary?: string): WorkflowStatusResponse {
    this.#state = initialState(this.#template, summary);
    return this.getStatus();
  }

  /** Finishes the current position. A workflow that has ended stays as it is. */
  advance(output: string): WorkflowStatusResponse {
    if (this.#state.status !== 'running') return this.getStatus();
    return this.#apply({ type: 'step.completed', output });
  }

  /** Gives the current position up, as its `on_fail` says. */
  fail(reason: string): WorkflowStatusResponse {
    if (this.#state.status !== 'running') return this.getStatus();
    return this.#apply({ type: 'step.failed', reason });
  }

  setTasks(loop: string, tasks: readonly Task[]): WorkflowStatusResponse {
    return this.#apply({ type: 'tasks.set', loop, tasks });
  }

  registerArtefacts(paths: readonly string[]): WorkflowStatusResponse {
    return this.#apply({ type: 'artefacts.registered', paths });
  }

  getStatus(): WorkflowStatusResponse {
    return describeStatus(this.#template, this.#state);
  }

  /** The outputs of all positions that were finished. */
  getContext(): Readonly<Record<string, string>> {
    return this.#state.outputs;
  }

  getState(): WorkflowState {
    return this.#state;
  }

  getCurrentStep(): WorkflowStep {
    return this.#position().step;
  }

  getCurrentLoopStep(): LoopStep | undefined {
    return this.#position().subStep;
  }

  getCurrentAgent(): string | null {
    return agentAt(this.#position()) ?? null;
  }

  /** The context action that should be performed before the current position is worked on; null once it was. */
  getContextActionIfNeeded(): StepContextAction | null {
    return neededContextAction(this.#template, this.#state) ?? null;
  }

  /** Marks that the context action has been executed, so that it is not asked for again at this position. */
  markContextActionExecuted(): void {
    this.#apply({ type: 'context-action.settled' });
  }

  #position() {
    return positionOf(this.#template, this.#state);
  }

  #apply(event: WorkflowEvent): WorkflowStatusResponse {
    const result = transition(this.#template, this.#state, event);
    if (!result.ok) throw new WorkflowInputError(result.refusal.code, result.refusal.message);
    this.#state = result.state;
    return this.getStatus();
  }
}

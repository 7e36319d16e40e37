import type { GivenTask } from './model-tasks.js';
import { type Command, CURRENT_LOOP, NEXT_LOOP } from './random-workflow.js';
import type { ChosenToken, createSeenTokens } from './seen-tokens.js';
import type { ToolRequest } from './server-pair.js';
import { type ModelRequest, stepAt, type WorkflowModel } from './workflow-model.js';

/** The same request for a server and for the model. */
export interface ModelledRequest extends ToolRequest {
  readonly model: ModelRequest;
}

/** Makes requests of commands, which speak of `the current token` or `the next loop`. */
export function createRequests(model: WorkflowModel, tokens: ReturnType<typeof createSeenTokens>) {
  let count = 0;

  function requestOf(command: Command): ModelledRequest {
    switch (command.do) {
      case 'start':
        return startRequest(command.restart);
      case 'set tasks':
        return tasksRequest(loopOf(command.loop), command.tasks);
      case 'advance':
        return advanceRequest(tokens.choose(command.token, command.which), command.which % 10 > 0);
      case 'fail': {
        const { position, token } = tokens.choose(command.token, command.which);
        const input = { reason: `Reason ${++count}`, ...position };
        return { name: 'workflow_fail', input, model: { tool: 'fail', token } };
      }
      case 'go on':
        return nextRequest(command.tasks);
      default:
        return STATUS_REQUEST;
    }
  }

  function nextRequest(tasks: readonly GivenTask[]): ModelledRequest {
    if (model.run?.status !== 'running') return startRequest(model.run !== undefined);
    const { at } = model.run;
    const { id, type } = stepAt(model.template, at);
    if (type === 'loop' && at.task === undefined) return tasksRequest(id, tasks);
    return advanceRequest(tokens.choose('current', 0), true);
  }

  function advanceRequest({ position, token }: ChosenToken, withOutput: boolean): ModelledRequest {
    const output = withOutput ? `output ${++count}` : '';
    const input = { ...(withOutput && { output }), ...position };
    return { name: 'workflow_advance', input, model: { tool: 'advance', output, token } };
  }

  function loopOf(chosen: string): string {
    if (model.run === undefined) return 'build';
    const { at } = model.run;
    if (chosen === CURRENT_LOOP) return stepAt(model.template, at).id;
    if (chosen !== NEXT_LOOP) return chosen;
    return model.template.steps.slice(at.step).find(({ type }) => type === 'loop')?.id ?? 'nothing';
  }

  return requestOf;
}

export const STATUS_REQUEST: ModelledRequest = { name: 'workflow_status', input: {}, model: { tool: 'status' } };

const startRequest = (restart: boolean): ModelledRequest => ({
  name: 'workflow_start',
  input: restart ? { restart } : {},
  model: { tool: 'start', restart },
});

const tasksRequest = (loop: string, tasks: readonly GivenTask[]): ModelledRequest => ({
  name: 'workflow_set_tasks',
  input: { loopId: loop, tasks },
  model: { tool: 'set-tasks', loop, tasks },
});

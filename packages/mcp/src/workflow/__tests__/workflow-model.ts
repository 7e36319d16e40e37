import type { LoopStep, OnFail, WorkflowStep, WorkflowTemplate } from '@devs/core';
import {
  canGoOn,
  type GivenTask,
  giveUpDependents,
  isFinished,
  type ModelTask,
  newTasks,
  setStatus,
} from './model-tasks.js';

/**
 * Expected answers of the workflow tools in the simplest form: plain data, changed in place, no log, no servers.
 * Written from the specification, not from the code under test. Where the specification leaves a choice it follows the
 * code: a dependency comes right before the first task that needs it, finished tasks of a later loop stay finished,
 * dependents of a failed task are abandoned when the next task begins, and a sub-step without `retries` inherits those
 * of its loop step.
 */
export interface WorkflowModel {
  readonly template: WorkflowTemplate;
  run: ModelRun | undefined;
}

interface Place {
  readonly step: number;
  readonly iteration?: number;
  /** Without it, a loop waits for its tasks. */
  readonly task?: string;
  readonly subStep?: number;
}

export interface ModelRun {
  status: 'running' | 'complete' | 'failed';
  at: Place;
  /** Counts the entries of positions; stands for the token. */
  visit: number;
  asked: boolean;
  /** Whether the agent has had a status since it was asked. */
  heard: boolean;
  attempt: number;
  /** The loops that were passed over on the way here. */
  skipped: readonly string[];
  /** The position ended by the last advance or fail, as long as nothing has moved since. */
  justEnded: number | undefined;
  readonly tasks: Map<string, ModelTask[]>;
  readonly outputs: Map<string, string>;
}

/** `never` is a token that no position of this run has had. */
export type ModelToken = number | 'never' | undefined;

export type ModelAnswer =
  | { readonly kind: 'error' }
  | { readonly kind: 'action'; readonly command: string }
  | { readonly kind: 'status'; readonly isStale: boolean };

export type ModelRequest =
  | { readonly tool: 'start'; readonly restart: boolean }
  | { readonly tool: 'status' }
  | { readonly tool: 'set-tasks'; readonly loop: string; readonly tasks: readonly GivenTask[] }
  | { readonly tool: 'advance'; readonly output: string; readonly token: ModelToken }
  | { readonly tool: 'fail'; readonly token: ModelToken };

const ERROR: ModelAnswer = { kind: 'error' };
const DEFAULT_RETRIES = 3;

/** Changes the model as the request should. An answer that is not delivered has asked for nothing. */
export function answerOf(model: WorkflowModel, request: ModelRequest, isDelivered: boolean): ModelAnswer {
  const answer = carryOut(model, request);
  if (isDelivered && model.run !== undefined) {
    if (answer.kind === 'status' && model.run.asked) model.run.heard = true;
    if (answer.kind === 'action') model.run.asked = true;
  }
  return answer;
}

function carryOut(model: WorkflowModel, request: ModelRequest): ModelAnswer {
  if (request.tool === 'start') return start(model, request.restart);
  const { template, run } = model;
  if (run === undefined) return ERROR;
  switch (request.tool) {
    case 'status':
      return look(template, run);
    case 'set-tasks':
      return setTasksOnce(template, run, request.loop, request.tasks);
    case 'advance':
      return endPosition(template, run, request.token, () => advance(template, run, request.output));
    case 'fail':
      return endPosition(template, run, request.token, () => fail(template, run));
  }
}

function start(model: WorkflowModel, restart: boolean): ModelAnswer {
  const { template } = model;
  if (model.run !== undefined && !restart) return look(template, model.run);
  if (model.run?.status === 'running') return ERROR;
  const run: ModelRun = {
    status: 'running',
    at: { step: 0 },
    visit: 0,
    asked: false,
    heard: false,
    attempt: 1,
    skipped: [],
    justEnded: undefined,
    tasks: new Map(),
    outputs: new Map(),
  };
  enterStep(template, run, 0, []);
  model.run = run;
  return look(template, run);
}

/** The context action of this position where it was not asked for yet, else the status. */
function look(template: WorkflowTemplate, run: ModelRun, isStale = false): ModelAnswer {
  const action = actionAt(template, run);
  return action !== undefined && !run.asked ? action : { kind: 'status', isStale };
}

/** The answer to a repeated request: the action again, until the agent must have seen it. */
function repeated(template: WorkflowTemplate, run: ModelRun): ModelAnswer {
  const action = actionAt(template, run);
  return action !== undefined && !run.heard ? action : { kind: 'status', isStale: false };
}

/** A list that changes nothing is a request that is repeated. */
function setTasksOnce(
  template: WorkflowTemplate,
  run: ModelRun,
  loop: string,
  tasks: readonly GivenTask[],
): ModelAnswer {
  const facts = () => JSON.stringify([run.visit, run.tasks.get(loop)]);
  const before = facts();
  if (!setTasks(template, run, loop, tasks)) return ERROR;
  return facts() === before ? repeated(template, run) : look(template, run);
}

function actionAt(template: WorkflowTemplate, run: ModelRun): ModelAnswer | undefined {
  if (run.status !== 'running') return undefined;
  const context = subStepAt(template, run.at)?.context ?? stepAt(template, run.at).context;
  return context && { kind: 'action', command: `/${context}` };
}

function endPosition(template: WorkflowTemplate, run: ModelRun, token: ModelToken, move: () => boolean): ModelAnswer {
  if (token === 'never') return ERROR;
  const status: ModelAnswer = { kind: 'status', isStale: false };
  if (token !== undefined && token === run.justEnded) return repeated(template, run);
  if (run.status !== 'running') return status;
  if (token !== undefined && token !== run.visit) return look(template, run, true);
  const unasked = look(template, run);
  if (unasked.kind === 'action') return unasked;
  // The instructions are shown with the first status after the action, not before.
  if (token === undefined && run.asked && !run.heard) return ERROR;
  const ended = run.visit;
  if (!move()) return ERROR;
  run.justEnded = ended;
  return look(template, run);
}

/** False when that is an error. */
function advance(template: WorkflowTemplate, run: ModelRun, output: string): boolean {
  const { at } = run;
  const step = stepAt(template, at);
  if (step.type === 'loop' && at.task === undefined) return false;
  run.outputs.set(outputKey(template, at), output);
  if (at.iteration !== undefined && at.iteration < (step.n ?? 1)) {
    enter(run, { step: at.step, iteration: at.iteration + 1 });
  } else if (at.task !== undefined && at.subStep !== undefined && at.subStep + 1 < subSteps(template, step).length) {
    enter(run, { ...at, subStep: at.subStep + 1 });
  } else if (at.task !== undefined) {
    setStatus(run.tasks.get(step.id), at.task, 'done');
    enterNextTask(template, run, []);
  } else {
    enterStep(template, run, at.step + 1, []);
  }
  return true;
}

function fail(template: WorkflowTemplate, run: ModelRun): boolean {
  const { at } = run;
  const step = stepAt(template, at);
  const { policy, retries } = policyAt(template, at);
  if (policy === 'retry' && run.attempt <= retries) {
    const next = run.attempt + 1;
    enter(run, at);
    run.attempt = next;
    return true;
  }
  if (at.task !== undefined) setStatus(run.tasks.get(step.id), at.task, 'failed');
  if (policy !== 'skip') run.status = 'failed';
  else if (at.task !== undefined) enterNextTask(template, run, []);
  else enterStep(template, run, at.step + 1, []);
  return true;
}

function policyAt(template: WorkflowTemplate, at: Place): { readonly policy: OnFail; readonly retries: number } {
  const step = stepAt(template, at);
  const subStep = subStepAt(template, at);
  return {
    policy: subStep?.on_fail ?? step.on_fail ?? 'abort',
    retries: subStep?.retries ?? step.retries ?? DEFAULT_RETRIES,
  };
}

function enterStep(template: WorkflowTemplate, run: ModelRun, index: number, skipped: readonly string[]): void {
  const step = template.steps[index];
  if (step === undefined) {
    run.status = 'complete';
    run.skipped = skipped;
  } else if (step.type !== 'loop') {
    enter(run, { step: index, ...(step.type === 'ralph' && { iteration: 1 }) }, skipped);
  } else if (!run.tasks.has(step.id)) {
    enter(run, { step: index }, skipped);
  } else {
    run.at = { step: index };
    enterNextTask(template, run, skipped);
  }
}

/** The first task that is open, or what comes behind the loop; a loop in which nothing was done is passed over. */
function enterNextTask(template: WorkflowTemplate, run: ModelRun, skipped: readonly string[]): void {
  const { id } = stepAt(template, run.at);
  const tasks = run.tasks.get(id) ?? [];
  giveUpDependents(tasks);
  const next = tasks.find((task) => !isFinished(task));
  if (next !== undefined) enter(run, { step: run.at.step, task: next.id, subStep: 0 }, skipped);
  else enterStep(template, run, run.at.step + 1, run.at.task === undefined ? [...skipped, id] : skipped);
}

/** The only way to a position: a new token, not asked, the first attempt. */
function enter(run: ModelRun, at: Place, skipped: readonly string[] = []): void {
  run.at = at;
  run.visit += 1;
  run.asked = false;
  run.heard = false;
  run.attempt = 1;
  run.skipped = skipped;
  run.justEnded = undefined;
}

/** False when that is an error. */
function setTasks(template: WorkflowTemplate, run: ModelRun, loop: string, given: readonly GivenTask[]): boolean {
  const index = template.steps.findIndex(({ id, type }) => id === loop && type === 'loop');
  if (run.status !== 'running' || index === -1 || index < run.at.step) return false;
  const tasks = newTasks(run.tasks.get(loop) ?? [], given);
  if (tasks === undefined) return false;
  run.tasks.set(loop, tasks);
  if (index === run.at.step && !canGoOn(run.at.task, tasks)) {
    enterNextTask(template, run, []);
    run.justEnded = undefined;
  }
  return true;
}

export const stepAt = (template: WorkflowTemplate, at: Place): WorkflowStep => template.steps[at.step] as WorkflowStep;

export const subStepAt = (template: WorkflowTemplate, at: Place): LoopStep | undefined =>
  at.subStep === undefined ? undefined : subSteps(template, stepAt(template, at))[at.subStep];

/** The generator gives every loop step its own loop, or names one. */
const subSteps = (template: WorkflowTemplate, { id, loop = id }: WorkflowStep): readonly LoopStep[] =>
  template.loops?.[loop] ?? [];

function outputKey(template: WorkflowTemplate, at: Place): string {
  const subStep = subStepAt(template, at);
  const parts = [stepAt(template, at).id];
  if (at.iteration !== undefined) parts.push(String(at.iteration));
  if (at.task !== undefined && subStep !== undefined) parts.push(at.task, subStep.id);
  return parts.map((part) => part.replaceAll('.', '\\.')).join('.');
}

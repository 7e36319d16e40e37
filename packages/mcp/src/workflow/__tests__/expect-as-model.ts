import { readFileSync } from 'node:fs';
import type { WorkflowState, WorkflowTemplate } from '@devs/core';
import { expect } from 'vitest';
import type { StatusAnswer } from '../status-answer.js';
import type { ModelTask } from './model-tasks.js';
import { type ModelRun, stepAt, subStepAt } from './workflow-model.js';

/** The model's position in the workflow. After the end, the specification promises only the place of a failure. */
export function expectStatus(answer: StatusAnswer, template: WorkflowTemplate, run: ModelRun): void {
  const { status, step, stepType, task, subStep, ralphIteration, retry, failure, contextAction } = answer;
  const outcome = { status, failed: failure !== undefined, contextAction };
  expect(outcome).toEqual({ status: run.status, failed: run.status === 'failed', contextAction: undefined });
  for (const loop of run.skipped) expect((answer.notices ?? []).join('\n')).toContain(loop);
  if (run.status === 'complete') return;
  const { at } = run;
  const tasks = run.tasks.get(stepAt(template, at).id) ?? [];
  const index = tasks.findIndex(({ id }) => id === at.task);
  expect({ step, stepType, task, subStep, ralphIteration, attempt: retry?.attempt ?? 1 }).toEqual({
    step: stepAt(template, at).id,
    stepType: stepAt(template, at).type,
    task: index === -1 ? undefined : { index, id: at.task, title: tasks[index]?.title },
    subStep: subStepAt(template, at)?.id,
    ralphIteration: at.iteration,
    attempt: run.status === 'running' ? run.attempt : expect.any(Number),
  });
}

/** The tasks of all loops in the file for other tools, in their order. */
export function expectTasks(file: string, template: WorkflowTemplate, run: ModelRun): void {
  const { tasks } = JSON.parse(readFileSync(file, 'utf8')) as WorkflowState;
  const loops = template.steps.filter(({ id }) => run.tasks.has(id));
  expect(Object.keys(tasks).sort()).toEqual(loops.map(({ id }) => id).sort());
  for (const { id } of loops) {
    const expected = (run.tasks.get(id) ?? []).map(described);
    const isCurrent = run.status === 'running' && stepAt(template, run.at).id === id;
    const there = (tasks[id] ?? []).map(({ depends_on = [], ...task }): ModelTask => {
      if (task.status === 'in_progress') expect([isCurrent, task.id]).toEqual([true, run.at.task]);
      return { ...task, depends_on, status: task.status === 'in_progress' ? 'pending' : task.status };
    });
    expect(there.map(described)).toEqual(expected);
  }
}

const described = ({ id, title, depends_on, status }: ModelTask) => ({ id, title, depends_on, status });

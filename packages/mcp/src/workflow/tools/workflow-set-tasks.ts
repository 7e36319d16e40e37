import { TASK_LIMITS } from '@devs/core';
import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { answerRun, replayRun } from '../answer-run.js';
import { decideEvents } from '../decide-events.js';
import { refuseSecretIds } from '../refuse-secret-ids.js';
import { untilSettled } from '../run-access.js';
import { statusAnswer } from '../status-answer.js';
import type { WorkflowContext } from '../workflow-context.js';
import { notStarted } from '../workflow-tool-error.js';

const { tasks: mostTasks, idChars, titleChars, descriptionChars } = TASK_LIMITS;
const taskId = z.string().min(1).max(idChars);

const task = z.strictObject({
  id: taskId.describe('Short and unique in the list'),
  title: z.string().min(1).max(titleChars).describe('What to do, in one line; sub-steps show it as {task.title}'),
  description: z.string().max(descriptionChars).optional().describe('What is needed to do the task'),
  depends_on: z.array(taskId).max(mostTasks).optional().describe('Ids of tasks in the list that must be done first'),
  status: z
    .enum(['pending', 'in_progress', 'done', 'failed'])
    .default('pending')
    .describe('Leave it out for work to do; "done" and "failed" are passed over'),
});

export const workflowSetTasks = defineTool({
  name: 'workflow_set_tasks',
  title: 'Set the tasks of a loop',
  description:
    'Sets the tasks that a loop step goes through, or changes them while it does. Finished tasks stay finished; an empty list skips the loop.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    loopId: z
      .string({ error: 'loopId must be the id of a loop step' })
      .max(idChars)
      .describe('The id of the loop step'),
    tasks: z.array(task).max(mostTasks).describe('All tasks of the loop, in any order; an empty list skips it'),
  }),
  output: statusAnswer,
  run({ loopId, tasks }, call: ToolCall<WorkflowContext>) {
    const { runs } = call.context;
    refuseSecretIds(
      'task',
      tasks.map(({ id }) => id),
    );
    return untilSettled(async () => {
      const run = await runs.current();
      if (run === undefined) throw notStarted();
      const change = { type: 'tasks.set', loop: loopId, tasks: tasks.map(withoutNothings) } as const;
      const { events } = await decideEvents(run, change, runs);
      if (events.length === 0) return replayRun(run, call);
      const stored = await runs.append(run, events);
      return stored && answerRun(stored, call);
    });
  },
});

/** What says nothing is absent, so that the same list is known as the same. */
const withoutNothings = ({ description, depends_on, ...rest }: z.output<typeof task>) => ({
  ...rest,
  ...(description !== undefined && { description }),
  ...(depends_on !== undefined && depends_on.length > 0 && { depends_on }),
});

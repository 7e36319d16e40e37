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

const task = z.strictObject({
  id: z.string().describe('Short and unique in the list'),
  title: z.string(),
  description: z.string().optional(),
  depends_on: z.array(z.string()).optional().describe('Ids of tasks in the list that must be done first'),
  status: z.enum(['pending', 'in_progress', 'done', 'failed']).default('pending'),
});

export const workflowSetTasks = defineTool({
  name: 'workflow_set_tasks',
  title: 'Set the tasks of a loop',
  description:
    'Sets the tasks that a loop step goes through, or changes them while it does. Finished tasks stay finished; an empty list skips the loop.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    loopId: z.string({ error: 'loopId must be the id of a loop step' }).describe('The id of the loop step'),
    tasks: z.array(task),
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

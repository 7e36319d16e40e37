import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { answerRun } from '../answer-run.js';
import { decide } from '../end-position.js';
import { statusAnswer } from '../status-answer.js';
import type { WorkflowContext } from '../workflow-context.js';
import { notStarted } from '../workflow-tool-error.js';

const task = z.object({
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
  input: z.object({
    loopId: z.string().optional().describe('The id of the loop step'),
    loop: z.string().optional().describe('The same, in another spelling'),
    tasks: z.array(task),
  }),
  output: statusAnswer,
  async run({ loopId, loop = loopId, tasks }, call: ToolCall<WorkflowContext>) {
    const { runs } = call.context;
    for (;;) {
      const run = await runs.current();
      if (run === undefined) throw notStarted();
      const event = { type: 'tasks.set', loop: loop ?? run.state.step, tasks: tasks.map(withoutUndefined) } as const;
      const events = await decide(run, event, call);
      const stored = events.length === 0 ? run : await runs.append(run, events);
      if (stored !== undefined) return answerRun(stored, call);
    }
  },
});

/** What the schema leaves out is absent, as the log wants it. */
const withoutUndefined = ({ description, depends_on, ...rest }: z.output<typeof task>) => ({
  ...rest,
  ...(description !== undefined && { description }),
  ...(depends_on !== undefined && { depends_on }),
});

import { TASK_STATUSES } from '@devs/core';
import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { MAX_NAME_CHARS } from '../limits.js';
import type { WorkflowContext } from '../workflow-context.js';

const MAX_TASKS = 200;
const MAX_INTENT_CHARS = 500;
const MAX_OFFSET = 1_000_000;

export const taskList = defineTool({
  name: 'task_list',
  title: "The project's tasks",
  description: "Lists the tasks of the project's queue (not those of a loop), oldest first.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    status: z.enum(TASK_STATUSES).optional().describe('Only tasks with this status'),
    text: z.string().max(MAX_NAME_CHARS).optional().describe('Only tasks whose id or intent holds this text'),
    limit: z.int().min(1).max(MAX_TASKS).default(50).describe('How many to list at most'),
    offset: z.int().min(0).max(MAX_OFFSET).default(0).describe('How many to pass over first'),
  }),
  output: z.object({
    tasks: z.array(
      z.object({
        id: z.string(),
        intent: z.string().describe('What is to be done, shortened'),
        status: z.enum(TASK_STATUSES),
        priority: z.number().describe('Higher comes first'),
        depends_on: z.array(z.string()).optional().describe('Ids of tasks that must be done first'),
        reason: z.string().optional().describe('Why it is blocked or has failed'),
      }),
    ),
    total: z.int().describe('How many there are in all'),
  }),
  async run({ status, text, limit, offset }, { context }: ToolCall<WorkflowContext>) {
    const { tasks, total } = await context.tasks.list({
      limit,
      offset,
      ...(status !== undefined && { statuses: [status] }),
      ...(text !== undefined && { text }),
    });
    return {
      total,
      tasks: tasks.map(({ id, intent, status, priority, depends_on, reason }) => ({
        id,
        intent: intent.length > MAX_INTENT_CHARS ? `${intent.slice(0, MAX_INTENT_CHARS)}…` : intent,
        status,
        priority,
        ...(depends_on.length > 0 && { depends_on: [...depends_on] }),
        ...(reason !== undefined && { reason }),
      })),
    };
  },
});

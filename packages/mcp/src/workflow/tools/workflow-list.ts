import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import type { WorkflowContext } from '../workflow-context.js';

export const workflowList = defineTool({
  name: 'workflow_list',
  title: 'The workflows there are',
  description: 'Lists the workflows that can be started here, with what each is for.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.object({
    workflows: z.array(
      z.object({
        name: z.string().describe('To be passed to workflow_start'),
        path: z.string(),
        origin: z.enum(['project', 'shipped', 'given']).describe('Whose it is'),
        description: z.string().optional().describe('What it is for'),
        problem: z.string().optional().describe('Why it cannot be started'),
      }),
    ),
    running: z
      .object({ name: z.string(), status: z.string(), step: z.string() })
      .optional()
      .describe('The run of this worktree, also a finished one'),
  }),
  async run(_input, { context }: ToolCall<WorkflowContext>) {
    const [workflows, run] = await Promise.all([context.templates.list(), context.runs.current()]);
    const running = run && { name: run.template.name, status: run.state.status, step: run.state.step };
    return { workflows: [...workflows], ...(running !== undefined && { running }) };
  },
});

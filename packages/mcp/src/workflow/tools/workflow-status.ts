import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { answerRun } from '../answer-run.js';
import { statusAnswer } from '../status-answer.js';
import type { WorkflowContext } from '../workflow-context.js';
import { notStarted } from '../workflow-tool-error.js';

export const workflowStatus = defineTool({
  name: 'workflow_status',
  title: 'Where the workflow stands',
  description: 'Tells the current step and what to do in it. Call it whenever you are not sure what comes next.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: statusAnswer,
  async run(_input, call: ToolCall<WorkflowContext>) {
    const run = await call.context.runs.current();
    if (run === undefined) throw notStarted();
    return answerRun(run, call);
  },
});

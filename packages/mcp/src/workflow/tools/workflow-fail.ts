import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { endPosition } from '../end-position.js';
import { MAX_TEXT_CHARS, tooLong } from '../limits.js';
import { positionArgument, statusAnswer } from '../status-answer.js';
import type { WorkflowContext } from '../workflow-context.js';

export const workflowFail = defineTool({
  name: 'workflow_fail',
  title: 'Give the current step up',
  description:
    'Says that the current step cannot be carried out, and why. The workflow then does what the step says: try again, skip it, or fail.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    reason: z
      .string({ error: 'reason must be a string' })
      .trim()
      .min(1, { error: 'reason must say why the step failed' })
      .max(MAX_TEXT_CHARS, { error: tooLong('reason') })
      .describe('Why the step cannot be done, and what was tried'),
    position: positionArgument,
  }),
  output: statusAnswer,
  run: ({ reason, position }, call: ToolCall<WorkflowContext>) =>
    endPosition({ type: 'step.failed', reason }, position, call),
});

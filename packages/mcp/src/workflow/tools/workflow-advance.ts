import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { endPosition } from '../end-position.js';
import { MAX_TEXT_CHARS, tooLong } from '../limits.js';
import { positionArgument, statusAnswer } from '../status-answer.js';
import type { WorkflowContext } from '../workflow-context.js';

export const workflowAdvance = defineTool({
  name: 'workflow_advance',
  title: 'Finish the current step',
  description:
    'Ends the current step with its output and tells what comes next. Call it only when the instructions are carried out.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    output: z
      .string({ error: 'output must be a string' })
      .max(MAX_TEXT_CHARS, { error: tooLong('output') })
      .optional()
      .describe('What was done and what later steps need to know, in a few sentences'),
    position: positionArgument,
  }),
  output: statusAnswer,
  run: ({ output = '', position }, call: ToolCall<WorkflowContext>) =>
    endPosition({ type: 'step.completed', output }, position, call),
});

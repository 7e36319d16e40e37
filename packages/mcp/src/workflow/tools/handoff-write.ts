import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { MAX_TEXT_CHARS, tooLong } from '../limits.js';
import type { WorkflowContext } from '../workflow-context.js';

export const handoffWrite = defineTool({
  name: 'handoff_write',
  title: 'Leave a handoff',
  description:
    'Stores what the next conversation must know to continue your work: the goal, what is done, what is not, decisions and their reasons, what to do next. Call it when you are asked for a handoff.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    text: z
      .string({ error: 'text must be a string' })
      .trim()
      .min(1, { error: 'text must not be empty' })
      .max(MAX_TEXT_CHARS, { error: tooLong('text') })
      .describe('The handoff, as Markdown'),
    conversation: z.string().max(200).optional().describe('The id of your conversation, if you know it'),
  }),
  output: z.object({
    stored: z.boolean().describe('Whether the handoff is kept'),
    characters: z.int().describe('How long it is'),
  }),
  async run({ text, conversation }, { context }: ToolCall<WorkflowContext>) {
    const run = await context.runs.current();
    await context.runs.note({
      type: 'handoff.written',
      data: {
        text,
        ...(conversation !== undefined && { conversation }),
        ...(run !== undefined && { run: run.id, visit: run.state.visit }),
      },
    });
    return { stored: true, characters: text.length };
  },
});

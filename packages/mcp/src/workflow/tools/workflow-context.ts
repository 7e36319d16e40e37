import { selectOutputs } from '@devs/core';
import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { MAX_NAME_CHARS } from '../limits.js';
import type { WorkflowContext } from '../workflow-context.js';
import { notStarted } from '../workflow-tool-error.js';

const MAX_NAMES = 50;

export const workflowContext = defineTool({
  name: 'workflow_context',
  title: 'Outputs of earlier steps',
  description:
    'Gives what earlier steps have put out, the newest whole and the older ones as far as there is room, and says what it left out.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    filter: z
      .string()
      .max(MAX_NAME_CHARS * 3)
      .optional()
      .describe("Only this step, task or sub-step: 'plan', 'implement.t1'"),
    budget: z.int().min(50).max(100_000).optional().describe('How many tokens the outputs may have. Default: 4000'),
  }),
  output: z.object({
    summary: z.string().optional().describe('What the user wants'),
    outputs: z.record(z.string(), z.string()).describe("By step, 'step.iteration' or 'step.task.subStep'"),
    artefacts: z.array(z.string()).describe('The newest registered files'),
    shortened: z.array(z.string()).optional().describe('Shown in part'),
    leftOut: z.array(z.string()).optional().describe('Not shown; ask for them with filter, or with a larger budget'),
    leftOutCount: z.int().optional().describe('How many are not shown; leftOut names the newest of them'),
    message: z.string().optional().describe('Why nothing is shown'),
  }),
  async run({ filter, budget }, { context }: ToolCall<WorkflowContext>) {
    const run = await context.runs.current();
    if (run === undefined) throw notStarted();
    const { summary, artefacts, outputs: all } = run.state;
    const { outputs, shortened, leftOut } = selectOutputs(all, {
      ...(filter !== undefined && { filter }),
      ...(budget !== undefined && { budgetTokens: budget }),
    });
    const isNothing = Object.keys(outputs).length === 0 && leftOut.length === 0;
    return {
      ...(summary !== undefined && { summary }),
      outputs,
      artefacts: artefacts.slice(-MAX_NAMES),
      ...(shortened.length > 0 && { shortened: [...shortened] }),
      ...(leftOut.length > 0 && { leftOut: leftOut.slice(-MAX_NAMES), leftOutCount: leftOut.length }),
      ...(isNothing && { message: nothingFound(filter, Object.keys(all)) }),
    };
  },
});

function nothingFound(filter: string | undefined, keys: readonly string[]): string {
  if (keys.length === 0) return 'No step has put out anything yet.';
  return `Nothing is under '${filter ?? ''}'. There is: ${keys.slice(-50).join(', ')}.`;
}

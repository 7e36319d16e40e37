import { z } from 'zod';

const text = z.string();
const count = z.int();

/** What the tools that move a workflow answer: where it stands, or the context action that comes first. */
export const statusAnswer = z.object({
  contextAction: text.optional().describe('A command for your conversation that has to come before the next step'),
  performedBy: z.enum(['supervisor']).optional().describe('Who acts before the next step, where it is not you'),
  message: text.optional(),
  status: z.enum(['running', 'complete', 'failed']).optional(),
  step: text.optional(),
  stepType: z.enum(['action', 'loop', 'ralph']).optional(),
  task: z.object({ index: count, id: text, title: text }).optional(),
  subStep: text.optional(),
  ralphIteration: count.optional(),
  agent: text.optional().describe('The agent that should do this step; without it, you'),
  agentConfig: z
    .object({ description: text, tools: z.array(text).optional(), cannot: z.array(text).optional() })
    .optional()
    .describe('What that agent is, the only tools it may use, and what it must not do'),
  instructions: text.optional().describe('What to do now'),
  progress: z
    .object({
      step: count,
      steps: count,
      task: count.optional(),
      tasks: count.optional(),
      subStep: count.optional(),
      subSteps: count.optional(),
      iteration: count.optional(),
      iterations: count.optional(),
    })
    .optional(),
  artefacts: z.boolean().optional().describe('Register the files that you make in this step'),
  retry: z.object({ attempt: count, attempts: count, reason: text }).optional(),
  failure: z.object({ at: text, reason: text }).optional(),
  notices: z.array(text).optional().describe('What you should know: what was skipped, given up or changed'),
  summary: text.optional(),
  position: text.optional().describe('Names this position; pass it to workflow_advance or workflow_fail'),
});

export type StatusAnswer = z.input<typeof statusAnswer>;

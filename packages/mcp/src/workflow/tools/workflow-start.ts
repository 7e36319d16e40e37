import type { RunStart, WorkflowRun } from '@devs/core';
import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { answerRun } from '../answer-run.js';
import { statusAnswer } from '../status-answer.js';
import type { WorkflowContext } from '../workflow-context.js';
import { WorkflowToolError } from '../workflow-tool-error.js';

const MOST_SUMMARY_CHARS = 100;

export const workflowStart = defineTool({
  name: 'workflow_start',
  title: 'Start the workflow',
  description:
    'Starts the workflow of this worktree, or goes on with the one that is running, and tells what to do first. Call it once at the beginning.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.object({
    summary: z.string().optional().describe('What the user wants, in under 100 characters'),
    workflow: z
      .string()
      .optional()
      .describe('The name of a workflow from workflow_list; leave it out for the one given'),
    restart: z.boolean().optional().describe('Begin a new run when the last one is complete or failed'),
  }),
  output: statusAnswer,
  async run({ summary, workflow, restart = false }, call: ToolCall<WorkflowContext>) {
    const { runs, templates } = call.context;
    const there = await runs.current();
    if (there !== undefined && !restart) return answerRun(there, call, otherWorkflow(there, workflow));
    if (there?.state.status === 'running') throw stillRunning(there);
    const start: RunStart = { ...(await templates.load(workflow)), ...shortSummary(summary) };
    return answerRun(await runs.start(start, (run) => restart && run.id === there?.id), call);
  },
});

function shortSummary(summary: string | undefined): { readonly summary?: string } {
  const trimmed = summary?.trim() ?? '';
  if (trimmed === '') return {};
  const isLong = trimmed.length > MOST_SUMMARY_CHARS;
  return { summary: isLong ? `${trimmed.substring(0, MOST_SUMMARY_CHARS - 3)}...` : trimmed };
}

const otherWorkflow = ({ template, state }: WorkflowRun, asked: string | undefined) =>
  asked === undefined || asked === template.name
    ? []
    : [`This worktree has a run of '${template.name}' (${state.status}); '${asked}' was not started.`];

const stillRunning = ({ template, state }: WorkflowRun) =>
  new WorkflowToolError(
    'WORKFLOW_RUNNING',
    `The workflow '${template.name}' is at step '${state.step}'. It can be started again when it is complete or failed; workflow_fail gives it up.`,
  );

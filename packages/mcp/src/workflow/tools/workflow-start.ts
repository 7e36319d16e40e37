import { basename } from 'node:path';
import type { RunStart, WorkflowRun } from '@devs/core';
import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { answerStart } from '../answer-run.js';
import { fitToKeep } from '../fit-to-keep.js';
import { MAX_NAME_CHARS, MAX_TEXT_CHARS, tooLong } from '../limits.js';
import { statusAnswer } from '../status-answer.js';
import type { WorkflowContext } from '../workflow-context.js';
import { WorkflowToolError } from '../workflow-tool-error.js';

const MAX_SUMMARY_CHARS = 100;

export const workflowStart = defineTool({
  name: 'workflow_start',
  title: 'Start the workflow',
  description:
    'Starts the workflow of this worktree, or continues the running one, and says what to do first. Call it where workflow_status says that no workflow was started.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    summary: z
      .string()
      .max(MAX_TEXT_CHARS, { error: tooLong('summary') })
      .optional()
      .describe('What the user wants, in under 100 characters; more is cut off'),
    workflow: z
      .string()
      .max(MAX_NAME_CHARS)
      .optional()
      .describe('The name of a workflow from workflow_list; leave it out for the one given'),
    restart: z.boolean().optional().describe('Begin a new run when the last one is complete or failed'),
  }),
  output: statusAnswer,
  async run({ summary, workflow, restart = false }, call: ToolCall<WorkflowContext>) {
    const { runs, templates } = call.context;
    const there = await runs.current().catch((error: unknown) => {
      if (restart && error instanceof WorkflowToolError && error.code === 'RUN_UNREADABLE') return undefined;
      throw error;
    });
    if (there !== undefined && !restart) return answerOther(there, workflow, call);
    if (there?.state.status === 'running') throw stillRunning(there);
    const start: RunStart = { ...fitToKeep(await templates.load(workflow), call), ...shortSummary(summary) };
    const run = await runs.start(start, restart ? runs.openedId() : undefined);
    return answerOther(run, workflow, call);
  },
});

function shortSummary(summary: string | undefined): { readonly summary?: string } {
  const trimmed = summary?.trim() ?? '';
  if (trimmed === '') return {};
  if (trimmed.length <= MAX_SUMMARY_CHARS) return { summary: trimmed };
  const cut = trimmed.substring(0, MAX_SUMMARY_CHARS - 3);
  return { summary: `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}...` }; // never half of an emoji
}

/** The current run may belong to another workflow than the requested one. */
function answerOther(run: WorkflowRun, asked: string | undefined, call: ToolCall<WorkflowContext>) {
  const { template, source, state } = run;
  const isAsked =
    asked === undefined || asked === template.name || basename(source.path).replace(/\.ya?ml$/, '') === asked;
  if (!isAsked)
    call.context.notices.add(
      `This worktree has a run of '${template.name}' (${state.status}); '${asked}' was not started.`,
    );
  return answerStart(run, call);
}

const stillRunning = ({ template, state }: WorkflowRun) =>
  new WorkflowToolError(
    'WORKFLOW_RUNNING',
    `The workflow '${template.name}' is at step '${state.step}'. It can be started again when it is complete or failed.`,
  );

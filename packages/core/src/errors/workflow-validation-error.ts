import type { TextProblem } from '../yaml/problem-list.js';
import { DevsError } from './devs-error.js';

/** One mistake in a workflow template. */
export type WorkflowProblem = TextProblem;

/** A workflow template cannot be used. The message lists every problem with its place. */
export class WorkflowValidationError extends DevsError {
  readonly code = 'WORKFLOW_INVALID';
  readonly problems: readonly WorkflowProblem[];
  /** Where the template came from, if from a file. */
  readonly path: string | undefined;

  constructor({ problems, path, cause }: InvalidWorkflow) {
    const template = path === undefined ? 'The workflow template' : `The workflow template '${path}'`;
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super([`${template} has ${count}:`, ...problems.map(describe)].join('\n'), { cause });
    this.problems = problems;
    this.path = path;
  }
}

export interface InvalidWorkflow {
  readonly problems: readonly WorkflowProblem[];
  readonly path?: string | undefined;
  readonly cause?: unknown;
}

const describe = ({ message, line, column, hint }: WorkflowProblem) =>
  `- line ${line}, column ${column}: ${message}${hint === undefined ? '' : ` (${hint})`}`;

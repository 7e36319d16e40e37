import type { RunStart, TaskQueue, WorkflowRun } from '@devs/core';
import type { Notices } from './notices.js';
import type { RunAccess } from './run-access.js';
import type { StateFile } from './state-file.js';
import type { StatusAnswer } from './status-answer.js';
import type { TemplateListing } from './template-folder.js';

/** Dependencies of the workflow tools. */
export interface WorkflowContext {
  readonly runs: RunAccess;
  readonly tasks: Pick<TaskQueue, 'list'>;
  /** Records: the last finished tasks and all blocked ones. */
  recorded(): Promise<StatusAnswer['context']>;
  readonly templates: Templates;
  readonly stateFile: StateFile;
  readonly notices: Notices;
  /** Answers about a run as it was at one moment. */
  readonly statuses: WeakMap<WorkflowRun, StatusAnswer>;
  /** Absolute; artefacts are below it. */
  readonly worktree: string;
}

export interface Templates {
  /** The workflow with this name, or the server's default. Throws if it is missing or invalid. */
  load(name: string | undefined): Promise<Omit<RunStart, 'summary'>>;
  list(): Promise<readonly TemplateListing[]>;
  /** Whether the file at this path is another one than the digest was taken of. */
  hasChanged(source: RunStart['source']): boolean;
}

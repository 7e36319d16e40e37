import type { Clock, WorkflowRun } from '@devs/core';
import type { SupervisedTerminal } from '../supervised-terminal.js';
import type { HeldTask } from '../supervision.js';
import type { RunFolder } from './prepare/prepare-folder.js';
import type { RunRequest, RunTiming } from './run.js';
import type { RunRecord } from './run-record.js';
import type { RunWatch } from './run-watch.js';
import type { WorkSender } from './travel/send-work.js';

/** What those who act on one run have in common. */
export interface KnownRun {
  readonly id: string;
  readonly request: RunRequest;
  readonly record: RunRecord;
  readonly folder: RunFolder;
  readonly task: HeldTask | undefined;
  /** `undefined` where the workflow is at its end and nothing runs any more. */
  readonly terminal: SupervisedTerminal | undefined;
  readonly watch: RunWatch;
  /** Where several machines share the store. */
  readonly sender: WorkSender | undefined;
  readonly timing: RunTiming;
  readonly clock: Clock;
  workflow(): WorkflowRun;
  /** A line for people. */
  tell(text: string): void;
  onError(error: unknown): void;
}

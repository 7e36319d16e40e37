import type { SettingsFiles } from '../config/create-settings-files.js';
import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { Terminals } from '../terminal/create-terminals.js';
import type { Times } from '../time/describe-time.js';
import type { Agreements } from '../trust/agreements.js';
import type { WorkflowFiles } from '../workflow/create-workflow-files.js';
import type { Runs } from './create-runs.js';

export interface RunServices extends Console, StoreServices, Times {
  readonly runs: Runs;
  readonly terminals: Terminals;
  readonly settingsFiles: SettingsFiles;
  readonly workflowFiles: WorkflowFiles;
  readonly agreements: Agreements;
  readonly userName: string;
  /** Runs devs itself in another folder, in front of the same user. Gives its exit code. */
  readonly runIn: (folder: string, args: readonly string[]) => Promise<number>;
}

import type { Console } from '../screen/console.js';
import type { Records } from '../store-access/create-records.js';
import type { Agreements } from '../trust/agreements.js';
import type { StoreGate } from '../trust/store-gate.js';
import type { WorkflowFiles } from '../workflow/create-workflow-files.js';
import type { SettingsFiles } from './create-settings-files.js';

export interface ConfigServices extends Console {
  readonly records: Records;
  /** Files that the user created or agreed to. */
  readonly agreements: Agreements;
  readonly storeGate: Pick<StoreGate, 'join'>;
  readonly settingsFiles: SettingsFiles;
  readonly workflowFiles: WorkflowFiles;
}

import type { SandboxFinding } from '@devs/worktree';
import type { SettingsFiles } from '../config/create-settings-files.js';
import type { Runs } from '../run/create-runs.js';
import type { TravelService } from '../run/say-base.js';
import type { Console } from '../screen/console.js';
import type { StoreServices } from '../store-access/with-store.js';
import type { Terminals } from '../terminal/create-terminals.js';

export interface DoctorServices extends Console, StoreServices {
  readonly version: string;
  readonly settingsFiles: SettingsFiles;
  readonly runs: Runs;
  readonly terminals: Terminals;
  readonly travel: TravelService;
  /** Finds the sandbox of this system. Never rejects. */
  readonly findSandbox: () => Promise<SandboxFinding>;
}

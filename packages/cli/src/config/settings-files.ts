import type { SettingsLayer } from '@devs/core';
import type { WaitingFile } from '../trust/waiting-file.js';

/**
 * Where the user's settings come from, besides the flags of a command.
 *
 * Contract: looks only. A file that does not exist says nothing; a file that cannot be read rejects with a `CliError` that says
 * what to do.
 */
export interface SettingsFiles {
  /** Files of the current project and of the user. Absolute. */
  paths(): Promise<{ readonly user: string; readonly project: string }>;
  read(): Promise<SettingsInFiles>;
}

interface SettingsInFiles {
  /** What counts now, the strongest last. */
  readonly layers: readonly SettingsLayer[];
  /** About files of earlier versions: how to move them. */
  readonly notes?: readonly string[];
  /** The file of the project, where it says more than a stranger may and the user has not agreed to it. */
  readonly waiting?: WaitingFile;
}

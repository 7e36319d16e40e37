import type { SettingsLayer } from '@devs/core';

/**
 * Where the user's settings come from, besides the flags of a command.
 *
 * Contract: looks only. A file that is not there says nothing; one that cannot be read rejects with a `CliError`.
 */
export interface SettingsFiles {
  /** Of the project that the user stands in, and of the user himself. Absolute. */
  paths(): Promise<{ readonly user: string; readonly project: string }>;
  /** What is said, the strongest last. */
  layers(): Promise<readonly SettingsLayer[]>;
}

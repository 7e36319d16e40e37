import type { SettingsLayer } from '@devs/core';

/**
 * Where the user's settings come from, besides the flags of a command.
 *
 * Contract: looks only. A file that is not there says nothing; one that cannot be read, or that came with a repository and asks
 * for more than its user has agreed to, rejects with a `CliError` that says what to do.
 */
export interface SettingsFiles {
  /** Of the project that the user stands in, and of the user himself. Absolute. */
  paths(): Promise<{ readonly user: string; readonly project: string }>;
  /** What is said, the strongest last. */
  layers(): Promise<readonly SettingsLayer[]>;
  /** The user agrees to what the file of the project says now. Gives what it says that needs it; nothing where none does. */
  trust(): Promise<readonly string[]>;
}

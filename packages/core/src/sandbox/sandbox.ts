import type { RunSettings, SandboxedSettings } from '../config/settings.js';

/** What the user decided about the commands that devs and its own agent run. */
export interface SandboxSettings extends SandboxedSettings {
  /** `auto`: where the system has one · `required`: nothing is run without one · `off`: none. */
  readonly mode: RunSettings['sandbox'];
}

/** As the settings say it. Pure. */
export const sandboxSettingsOf = ({
  sandbox,
  sandboxed,
}: Pick<RunSettings, 'sandbox' | 'sandboxed'>): SandboxSettings => ({
  mode: sandbox,
  ...sandboxed,
});

/** What has to be started, and with which environment, for a command to run as it should. */
export interface SandboxedCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** For when the command has ended: puts right what no sandbox can forbid. */
  leave?(): Promise<void>;
}

/** Where commands run. Must be closed. */
export interface Sandbox {
  /** `none`: commands run as any other program of the user's, but without the keys. */
  readonly kind: 'bubblewrap' | 'seatbelt' | 'none';
  /** In this folder, which is in the worktree. */
  enter(command: readonly string[], folder: string): Promise<SandboxedCommand>;
  close(): Promise<void>;
}

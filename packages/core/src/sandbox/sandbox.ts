import type { RunSettings, SandboxedSettings } from '../config/settings.js';

/** The user's settings for commands of devs and its own agent. */
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

/** The program and environment to start for a sandboxed command. */
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

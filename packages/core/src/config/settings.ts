import type { OwnAgentConfig } from '../agent-driver/acp-agent-config.js';
import type { AgentTransport } from '../ports/agent-driver.js';

/** All settings of the user, resolved: only parts without a default may be missing. */
export interface Settings extends RunSettings {
  /** `auto`: Claude Code or Codex where one is installed, else the built-in one. Else its name, or one under `agents`. */
  readonly agent: string;
  readonly workflow: string;
  /** How many tasks of the queue at a time. */
  readonly parallel: number;
  readonly fleet: FleetSettings;
  readonly model: ModelSettings;
  readonly permissions: PermissionSettings;
  /** How agents with more than one way are driven in runs. */
  readonly transport: AgentTransport;
  /** User-defined agents, by name. */
  readonly agents: Readonly<Record<string, OwnAgentConfig>>;
}

/** Several machines on one store. */
interface FleetSettings {
  /** The git remote that the work of runs travels through. */
  readonly remote: string;
  /** What this machine has for tasks that need it. */
  readonly labels: readonly string[];
}

/** What one run goes by. */
export interface RunSettings {
  /** Measures and touches nothing. */
  readonly observe: boolean;
  /** `own`: a git worktree on its own branch · `here`: the folder itself. */
  readonly worktree: 'own' | 'here';
  /** Ignored files to copy into a run's own worktree. */
  readonly copy: readonly string[];
  /** Done in a new worktree before the agent starts. */
  readonly setup: readonly Command[];
  /** Done at the end, as evidence; a merge wants them to pass. */
  readonly checks: readonly Command[];
  /** Of the built-in agent's commands, `setup` and `checks`. */
  readonly sandbox: 'auto' | 'required' | 'off';
  readonly sandboxed: SandboxedSettings;
  readonly budget: Budget & { readonly day: Budget; readonly price?: TokenPrice };
  readonly pressure: { readonly soft: MarkSettings; readonly firm: MarkSettings };
  readonly renewal: RenewalSettings;
  readonly reinjection: ReinjectionSettings;
  readonly contextActions: { readonly enabled: boolean; readonly deadlineSeconds: number };
  readonly stuck: StuckSettings;
  /** Of an agent that crashed, in its own conversation. */
  readonly resume: { readonly enabled: boolean; readonly most: number };
  /** What to do at the provider's usage limit. */
  readonly limits: { readonly park: boolean; readonly most: number };
  /** Facts about a conversation, inserted after the agent compacted it. */
  readonly ledger: { readonly enabled: boolean };
  readonly notices: { readonly bell: boolean; readonly command: Command };
  /** Questions of agents that are answered automatically while no user is there. */
  readonly dialogs: readonly DialogSetting[];
}

/** What commands in the sandbox reach besides the worktree and caches. */
export interface SandboxedSettings {
  readonly network: boolean;
  /** Paths; `~/` is the user's home. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Names of variables. */
  readonly pass: readonly string[];
}

/** A program and its arguments; never a line for a shell. */
export type Command = readonly string[];

/** Spending limits. Unset means unlimited. */
export interface Budget {
  readonly tokens?: number;
  readonly usd?: number;
  readonly minutes?: number;
}

/** US dollars for a million tokens. devs knows no prices: they change, and a subscription has none. */
export interface TokenPrice {
  readonly input?: number;
  readonly output?: number;
  /** Of input from the provider's cache; without it as other input. */
  readonly cached?: number;
}

export interface MarkSettings {
  /** Of the window. */
  readonly share: number;
  /** At most, however large the window is. */
  readonly tokens: number;
}

export interface RenewalSettings {
  readonly enabled: boolean;
  /** Whether an agent that exits cleanly with work left is started fresh from its handoff. */
  readonly autoHandoff: boolean;
  /** In a row; after that the agent's own compaction takes over. */
  readonly most: number;
  readonly ownWords: 'when-needed' | 'always' | 'never';
  readonly checkpoints: 'private' | 'branch' | 'branch-and-push' | 'none';
}

export interface ReinjectionSettings {
  readonly enabled: boolean;
  /** How many turns in one node, for the built-in agent. */
  readonly builtinTurns: number;
  /** The same for other agents, where the text stays in the conversation. */
  readonly turns: number;
  /** The specs, as paths from the project's folder; looked for where they usually are without it. */
  readonly tas?: string;
  readonly prd?: string;
}

export interface StuckSettings {
  readonly enabled: boolean;
  /** Without progress. */
  readonly minutes: number;
  /** The same failing action in a row. */
  readonly sameAction: number;
  /** The same error, by its fingerprint. */
  readonly sameError: number;
}

export interface DialogSetting {
  /** A regular expression, tried on each line of the screen. */
  readonly question: string;
  readonly keys: string;
}

/** Of the built-in agent. Keys come from the environment only. */
export interface ModelSettings {
  /** Default: chosen by the API key in the environment. */
  readonly provider?: 'anthropic' | 'openai' | 'scripted';
  readonly name?: string;
  readonly baseUrl?: string;
  readonly window?: number;
  /** A file, for `scripted`. */
  readonly scenario?: string;
}

/** Of the built-in agent, and of agents that are reached over a channel. A rule is a tool, how a command begins, or a path. */
export interface PermissionSettings {
  /** For what no rule decides. */
  readonly mode: 'ask' | 'allow' | 'deny';
  readonly allow: readonly string[];
  /** Counts for more than `allow`. */
  readonly ask: readonly string[];
  /** Counts for more than both. */
  readonly deny: readonly string[];
}

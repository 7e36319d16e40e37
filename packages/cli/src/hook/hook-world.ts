import type { HookAgent } from './hook-agent.js';
import type { HookFiles } from './hook-files.js';
import type { HookLog } from './hook-log.js';
import type { HookSettings } from './hook-settings.js';
import type { KeepLedger } from './keep-ledger.js';
import type { StoreTexts } from './read-store.js';
import type { Specs } from './specs.js';

/** Dependencies of a hook. Slow ones are loaded on demand. */
export interface HookDeps {
  readonly agent: HookAgent;
  readonly settings: HookSettings;
  readonly files: HookFiles;
  readonly log: HookLog;
  readonly now: () => number;
  /** The process of the agent. */
  readonly agentPid: number;
  readonly isAlive: (pid: number) => boolean;
  readonly readSpecs: () => Specs;
  /** May reject. */
  readonly renderReminder: (specs: Specs, budgetTokens: number) => Promise<string>;
  /** May reject. */
  readonly keepLedger: KeepLedger;
  /** Whether the project has a store. */
  readonly hasStore: boolean;
  /** What the project's store says; nothing where it says nothing. May reject. */
  readonly readStore: () => Promise<StoreTexts>;
}

import type { AgentDriver } from '@devs/core';
import type { DriverOptions } from './driving/driver-options.js';
import type { TranscriptSource } from './reading/transcript-source.js';

/**
 * One agent in the registry. Every command and hook reads the entries, so they hold facts and load code only when one
 * of their functions is called.
 */
export interface AgentEntry {
  /** As users type it: `claude`. */
  readonly name: string;
  /** As sentences name it: `Claude Code`. */
  readonly title: string;
  readonly transcripts: TranscriptSource;
  /** Absent where devs only reads the agent's transcripts. */
  readonly createDriver?: (options: EntryDriverOptions) => Promise<AgentDriver>;
  /** For a program that the user has installed, which `devs NAME` starts. Absent for the built-in agent. */
  readonly program?: AgentProgram;
  /** Absent where the agent calls no hooks of devs. */
  readonly hooks?: AgentHooks;
}

interface EntryDriverOptions extends DriverOptions {
  /** Starts the built-in agent. Only `devs` itself knows the command. */
  readonly builtin: { readonly command: readonly string[]; readonly version: string };
  /** Starts a program of devs, by the name of its command. */
  readonly devsCommand?: ((name: string) => readonly string[]) | undefined;
  /** Starts the program that holds an agent by stream-json. */
  readonly holder?: readonly string[];
}

interface AgentProgram {
  readonly modelArguments: (model: string) => readonly string[];
  /** Whether the program asks, at its first start in a folder, if the user trusts the files in it. */
  readonly asksForTrust: boolean;
}

export interface AgentHooks {
  /** As in `devs hook NAME`. */
  readonly name: string;
  /** Longer answers do not reach the model: Claude Code puts them into a file (measured, 2.1.325). */
  readonly longestAnswerChars: number;
  /** Whether the agent runs a hook in the background where its settings ask for it. */
  readonly hasBackgroundHooks: boolean;
  /** Whether the agent takes hooks for one launch, besides the user's own. */
  readonly canBeLaunchedWith: boolean;
  /** In transcript lines that record work. */
  readonly workMarks: readonly string[];
  /** In transcript lines that may hold the user's words. */
  readonly promptMarks: readonly string[];
  /** How the user gets the whole handoff there. */
  readonly wholeDocument: string;
  readonly setup: HookSetup;
}

type HookSetup =
  /** A file of the agent's settings, with the command that each hook calls. */
  | { readonly kind: 'config'; readonly config: (command: HookCommand) => object }
  | { readonly kind: 'plugin'; readonly advice: string };

/** How a hook of devs is started: a program and its arguments. */
export interface HookCommand {
  readonly file: string;
  readonly args: readonly string[];
}

import type { Clock } from '@devs/core';
import type { HookCommand } from '@devs/drivers/agents';
import type { SandboxFinding } from '@devs/worktree';
import type { RunAcpAgent } from './agent/run-acp-agent.js';
import type { RunBuiltinAgent } from './agent/run-builtin-agent.js';
import type { RunStreamAgent } from './agent/run-stream-agent.js';
import type { Checkout } from './checkout.js';
import type { SettingsFiles } from './config/create-settings-files.js';
import type { ServeModel } from './debug/model-server/serve-model.js';
import type { Answer } from './files/confirm.js';
import type { Conversations } from './handoff/conversations.js';
import type { HookMode } from './hook/hook-agent.js';
import type { ProjectFolder } from './init/create-project-folder.js';
import type { UntilInterrupted, UntilInterruptedTwice } from './interruption.js';
import type { ServeWorkflow } from './mcp/serve-workflow.js';
import type { Recall } from './recall/create-recall.js';
import type { Runs } from './run/create-runs.js';
import type { LiveScreen } from './run/live-screen.js';
import type { TravelService } from './run/say-base.js';
import type { Screen } from './screen/screen.js';
import type { Records } from './store-access/create-records.js';
import type { ServicePlace } from './supervise/install-service.js';
import type { PageLink } from './supervise/page-link.js';
import type { SupervisorLink } from './supervise/supervisor-link.js';
import type { Terminals } from './terminal/create-terminals.js';
import type { Agreements } from './trust/agreements.js';
import type { StoreGate } from './trust/store-gate.js';
import type { WorkflowFiles } from './workflow/create-workflow-files.js';

/** What commands may use of the world. */
export interface Services extends ConsoleServices, ProjectServices, AgentServices, SupervisedServices {
  readonly version: string;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Whether a holder of leases has ended, as far as this machine knows. */
  readonly isGone: (by: string) => boolean;
  /** How this process calls itself where it holds a lease. */
  readonly holderName: string;
  /** Default: the machine's own. */
  readonly timeZone?: string;
  readonly userName: string;
}

/** The user in front of the command: what they see, are asked, and interrupt. */
export interface ConsoleServices {
  readonly screen: Screen;
  /** Whether stdout is a terminal, which interprets control sequences, and not a pipe or a file. */
  readonly isTerminal: boolean;
  /** A line, or several, on stdout. */
  readonly print: (text: string) => void;
  /** A line, or several, for people, on stderr. */
  readonly warn: (text: string) => void;
  /** The text of a file, or of stdin where there is no path. */
  readonly readText: (path: string | undefined) => Promise<string>;
  readonly readLines: (path: string) => AsyncIterable<string>;
  /** To a file that must not exist yet, or to stdout where there is no path; gives what the generator returned. */
  readonly writeLines: <Result>(path: string | undefined, lines: AsyncGenerator<string, Result>) => Promise<Result>;
  readonly confirm: (question: string) => Promise<Answer>;
  /** Index of the choice that the user picked, if they can be asked. */
  readonly pick: (choices: readonly string[]) => Promise<number | undefined>;
  readonly untilInterrupted: UntilInterrupted;
  readonly untilInterruptedTwice: UntilInterruptedTwice;
  /** Where stdout is a terminal that can be drawn on. */
  readonly live: LiveScreen | undefined;
}

/** The project of the current folder: its store, files and conversations. */
export interface ProjectServices {
  /** What `DEVS_STORE` says. */
  readonly storeSetting: string | undefined;
  readonly records: Records;
  /** Files that the user created or agreed to. */
  readonly agreements: Agreements;
  readonly storeGate: Pick<StoreGate, 'join'>;
  readonly settingsFiles: SettingsFiles;
  readonly project: ProjectFolder;
  /** The folder of the workflows that come with devs. */
  readonly shippedWorkflows: string;
  readonly workflowFiles: WorkflowFiles;
  readonly conversations: Conversations;
  readonly recall: Recall;
  /** How work reaches the other machines of a shared store. */
  readonly travel: TravelService;
}

/** What agents call, and agents that run in this process. */
export interface AgentServices {
  readonly serveWorkflow: ServeWorkflow;
  /** Takes the payload of an agent's hook from stdin, and never rejects. */
  readonly answerHook: (agent: string, manner: HookMode) => Promise<void>;
  /** The command with which an agent reaches `answerHook`. */
  readonly hookCommand: (agent: string) => HookCommand;
  readonly serveModel: ServeModel;
  readonly runBuiltinAgent: RunBuiltinAgent;
  readonly runAcpAgent: RunAcpAgent;
  /** Holds Codex's app server in this terminal. Resolves with the exit code. */
  readonly holdCodex: (folder: string) => Promise<number>;
  readonly runStreamAgent: RunStreamAgent;
  /** What a checkout of devs can do besides. */
  readonly checkout: Checkout | undefined;
  /** Finds the sandbox of this system. Never rejects. */
  readonly findSandbox: () => Promise<SandboxFinding>;
}

/** The supervisor of this user, and what it holds. */
export interface SupervisedServices {
  readonly terminals: Terminals;
  readonly runs: Runs;
  /** The process that supervises for this user. */
  readonly supervisor: SupervisorLink;
  /** What it shows in a browser. */
  readonly page: PageLink;
  /** Supervises in this process, until it is asked to end. */
  readonly superviseHere: (onBegin: () => void) => Promise<'ended' | 'already-there'>;
  /** Runs devs itself in another folder, in front of the same user. Gives its exit code. */
  readonly runIn: (folder: string, args: readonly string[]) => Promise<number>;
  /** Runs a program of Node in front of the user. Gives its exit code. */
  readonly runProgram: (args: readonly string[]) => Promise<number>;
  /** Where a service of the user is written. */
  readonly servicePlace: ServicePlace;
}

import type {
  AgentDriver,
  AgentTransport,
  Clock,
  HookRequest,
  LaunchSite,
  McpServer,
  PermissionRules,
  RunSettings,
} from '@devs/core';
import { type Store, type SummaryProvider, type TypingPolicy, terminalPolicyOf } from '@devs/core';
import type { TranscriptSource } from '@devs/drivers';
import type { TerminalHost } from '@devs/terminals';
import type { SuperviseRequest } from './supervised-terminal.js';
import type { SupervisionTiming } from './supervision.js';

/**
 * What the terminals of one caller have in common. It is built once; runs, requests and supervisions extend it, so that nothing of
 * it is copied by name.
 */
export interface TerminalContext {
  readonly driver: AgentDriver;
  readonly store: Store;
  /** Connects to the host of the terminals, again after it died; see `openHostIn`. */
  openHost(): Promise<TerminalHost>;
  /** Who supervises, for others to see. */
  readonly by: string;
  readonly place: LaunchSite;
  /** What devs adds to every launch. */
  readonly extras?: LaunchExtras;
  readonly size?: { readonly columns: number; readonly rows: number };
  readonly sources?: readonly TranscriptSource[];
  readonly summaries?: SummaryProvider;
  readonly clock: Clock;
  /** UUIDs: agents name their conversations by them. */
  readonly newId: () => string;
  readonly timing?: Partial<SupervisionTiming>;
  readonly typing?: Partial<TypingPolicy>;
}

/** Additions of devs to every launch, created again by each supervisor. */
export interface LaunchExtras {
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  /** The file in which one of the servers reports; its command line or environment names it. */
  readonly toolsReport?: string;
  readonly hooks?: HookRequest;
  readonly windowTokens?: number;
  /** The user told devs that they trust the folder. */
  readonly trustsFolder?: boolean;
  /** By the user's settings. */
  readonly transport?: AgentTransport;
  /** What devs answers for the user where an agent asks over its channel. */
  readonly permissions?: PermissionRules;
}

/** What the user's settings say about each terminal. Pure. */
export const termsOf = (
  settings: RunSettings,
): Pick<SuperviseRequest, 'policy' | 'checkpoints' | 'ownWords' | 'answers' | 'timing'> => ({
  policy: terminalPolicyOf(settings),
  checkpoints: settings.renewal.checkpoints,
  ownWords: settings.renewal.ownWords,
  answers: settings.dialogs.map(({ question, keys }) => ({ question: new RegExp(question), keys })),
  timing: { actionMs: settings.contextActions.deadlineSeconds * 1_000 },
});

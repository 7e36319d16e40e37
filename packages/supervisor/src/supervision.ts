import { CONTEXT_REFRESH_SPAWN_DELAY_MS, type HandoffBudget } from '@devs/core';
import type { TranscriptSource } from '@devs/drivers';
import type { Patience } from './follow/wait-until.js';
import type { AgentProcess } from './launch/agent-process.js';
import type { TerminalNotice } from './notice.js';
import type { TerminalRecord } from './record/terminal-record.js';
import type { SuperviseRequest } from './supervised-terminal.js';

/** One terminal while it is supervised: the request, with what it leaves open, and what is known of the terminal now. */
export interface Supervision extends SuperviseRequest {
  readonly agentProcess: AgentProcess;
  readonly record: TerminalRecord;
  readonly patience: Patience;
  readonly timing: SupervisionTiming;
  /** How the agent's transcript is read; missing if unsupported. */
  readonly source?: TranscriptSource;
  readonly budget: HandoffBudget;
  /** What devs tells every agent of this terminal. */
  readonly basePrompt?: string;
  /** What the agent is told at its very first start, beside what the user's arguments say. */
  readonly userPrompt?: string;
  /** What it is told when its conversation is opened again after a stop, where that is not the usual. */
  readonly resumePrompt?: string;
  leftWork(): Promise<string | undefined>;
  /** The current supervisor knows its launch arguments. */
  readonly hasAllArguments: boolean;
  readonly checkpoints: CheckpointMode;
  readonly ownWords: OwnWords;
  readonly answers: readonly DialogAnswer[];
  /** What devs may have left in the agent's input: it is no draft of the user's. */
  ownTexts(): readonly string[];
  isAttended(): boolean;
  /** The user has it open now. */
  isAttached(): boolean;
  notify(notice: TerminalNotice): void;
}

export interface HeldTask {
  readonly id: string;
  readonly fence: number;
}

/** `private`: on a ref of its own · `branch`: seed 002's way, on the user's branch · `none` */
export type CheckpointMode = 'private' | 'branch' | 'branch-and-push' | 'none';

/** A question that the user has answered in advance, in their configuration. All others wait for them. */
export interface DialogAnswer {
  /** Tried on each line of the screen. */
  readonly question: RegExp;
  readonly keys: string;
}

/** Whether an agent is asked for its own words before it goes. It never is while it works, or its user is there. */
export type OwnWords = 'when-needed' | 'always' | 'never';

export interface SupervisionTiming {
  /** How long an agent may take to end politely. */
  readonly graceMs: number;
  /** How long a new agent may take for its first turn. */
  readonly confirmMs: number;
  /** How long the agent's records may take to show a compact or clear. */
  readonly actionMs: number;
  /** After this the provider has forgotten the prompt. */
  readonly cacheMs: number;
  /** Who typed less long ago than this is there. */
  readonly attendedMs: number;
  /** How often the policy is asked though nothing has changed. */
  readonly considerMs: number;
  /**
   * Longer than a write may wait for a busy store, so that no lease is lost to that. It costs no time after a crash:
   * an ended holder on this machine holds nothing.
   */
  readonly leaseMs: number;
  /** How long a task stays claimed while its run is being prepared. */
  readonly claimMs: number;
  readonly pollMs: number;
}

export const DEFAULT_TIMING: SupervisionTiming = {
  graceMs: CONTEXT_REFRESH_SPAWN_DELAY_MS,
  confirmMs: 60_000,
  actionMs: 120_000,
  cacheMs: 5 * 60_000,
  attendedMs: 15 * 60_000,
  considerMs: 1_000,
  leaseMs: 45_000,
  claimMs: 120_000,
  pollMs: 50,
};

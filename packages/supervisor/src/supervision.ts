import {
  type AgentDriver,
  type Clock,
  CONTEXT_REFRESH_SPAWN_DELAY_MS,
  type HandoffBudget,
  type Store,
  type TypingPolicy,
} from '@devs/core';
import type { TranscriptSource } from '@devs/drivers';
import type { Patience } from './follow/wait-until.js';
import type { Seat } from './launch/seat.js';
import type { TerminalNotice } from './notice.js';
import type { TerminalRecord } from './record/terminal-record.js';

/** What those who act on one terminal have in common. */
export interface Supervision {
  readonly name: string;
  readonly driver: AgentDriver;
  readonly seat: Seat;
  readonly record: TerminalRecord;
  readonly store: Pick<Store, 'log' | 'tasks' | 'state'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly patience: Patience;
  readonly timing: SupervisionTiming;
  readonly typing?: Partial<TypingPolicy>;
  /** How the agent's transcript is read; missing if unsupported. */
  readonly source?: TranscriptSource;
  /** Where the tool `handoff_write` stores what the agents in this folder write. */
  readonly handoffStream?: string;
  readonly budget: HandoffBudget;
  readonly task?: HeldTask;
  /** What devs tells every agent of this terminal. */
  readonly basePrompt?: string;
  /** What the agent is told at its very first start, beside what the user's arguments say. */
  readonly userPrompt?: string;
  /** What it is told when its conversation is opened again after a stop, where that is not the usual. */
  readonly resumePrompt?: string;
  /** What the work has left so far, for an agent that takes it up after another one died. */
  leftWork(): Promise<string | undefined>;
  /** The current supervisor knows its launch arguments. */
  readonly hasAllArguments: boolean;
  readonly checkpoints: CheckpointManner;
  readonly ownWords: OwnWords;
  readonly answers: readonly DialogAnswer[];
  /** A folder of this terminal that only the user can read. */
  readonly privateFolder: string;
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
export type CheckpointManner = 'private' | 'branch' | 'branch-and-push' | 'none';

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
  pollMs: 50,
};

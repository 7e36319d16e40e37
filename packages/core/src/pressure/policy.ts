import { MAX_CONTEXT_REFRESHES } from '../renewal/constants.js';
import { DEFAULT_MARKS, type PressureMarks } from './pressure-mark.js';

/** How one terminal is supervised. Every part is a setting, and each can be switched off. */
export interface TerminalPolicy {
  /** Measures and touches nothing. */
  readonly observeOnly: boolean;
  readonly renewal: boolean;
  /** Whether an agent that exits cleanly with work left is started fresh from its handoff. */
  readonly autoHandoff: boolean;
  readonly marks: PressureMarks;
  /** Renewals in a row in which no step or task ended; after that the agent's own compaction takes over. */
  readonly mostRenewals: number;
  /** How long an agent may stay at work above the firm mark before its turn is interrupted for a renewal. */
  readonly interruptMs: number;
  readonly ledgerAfterCompaction: boolean;
  readonly reminders: boolean;
  /** A hook's text stays in the conversation of a CLI, so it is given rarely. */
  readonly reminderTurns: number;
  readonly mostResumes: number;
  readonly resumeMs: number;
  readonly longestResumeMs: number;
  /** Where the provider does not say until when; doubles each time. */
  readonly parkMs: number;
  readonly mostParks: number;
}

export const DEFAULT_POLICY: TerminalPolicy = {
  observeOnly: false,
  renewal: true,
  autoHandoff: true,
  marks: DEFAULT_MARKS,
  mostRenewals: MAX_CONTEXT_REFRESHES,
  interruptMs: 600_000,
  ledgerAfterCompaction: true,
  reminders: true,
  reminderTurns: 20,
  mostResumes: 5,
  resumeMs: 2_000,
  longestResumeMs: 60_000,
  parkMs: 60_000,
  mostParks: 6,
};

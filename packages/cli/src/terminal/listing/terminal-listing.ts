import type { PressureMark, TerminalActivity } from '@devs/core';

/** One terminal as `devs` lists it. */
export interface TerminalListing {
  readonly name: string;
  readonly agent: string;
  readonly folder: string;
  readonly activity: TerminalActivity;
  readonly since?: number;
  /** On what grounds. */
  readonly detail?: string;
  readonly usage?: { readonly usedTokens: number; readonly windowTokens: number };
  /** Of 1; missing where it is not known. */
  readonly pressure?: number;
  readonly mark?: PressureMark;
  readonly isRenewing: boolean;
  readonly renewals: number;
  readonly isSupervised: boolean;
  readonly isAttended: boolean;
  readonly pid?: number;
  readonly conversationId?: string;
  /** What only the user can do; missing if nothing is needed. */
  readonly needs?: TerminalNeed;
}

export interface TerminalNeed {
  readonly kind: 'waiting' | 'escalated' | 'parked' | 'crashed';
  readonly detail: string;
  readonly until?: number;
}

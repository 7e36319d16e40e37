import type { PressureMark } from './pressure-mark.js';
import type { RenewalRow } from './renewal-row.js';

/** Past actions on one terminal. */
export interface TerminalHistory {
  readonly renewals: RenewalRow;
  readonly resumesInARow: number;
  /** The highest mark reported to the user in this conversation. */
  readonly toldOf: PressureMark;
  readonly parksInARow: number;
  /** The user went back to this conversation, and has said nothing in it since. */
  readonly wentBack?: boolean;
}

export const NO_HISTORY: TerminalHistory = {
  renewals: { inARow: 0, hasWorked: true },
  resumesInARow: 0,
  toldOf: 'low',
  parksInARow: 0,
};

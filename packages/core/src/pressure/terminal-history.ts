import type { PressureMark } from './pressure-mark.js';

/** What was done about one terminal before. */
export interface TerminalHistory {
  /** Renewals since the last progress: a file changed, a task or step ended, a commit. */
  readonly renewalsWithoutProgress: number;
  /** Of those that this terminal had at all, in a row. */
  readonly renewalsInARow: number;
  readonly resumesInARow: number;
  /** The highest mark that the user was told of in this conversation. */
  readonly toldOf: PressureMark;
  readonly parksInARow: number;
  /** The user went back to this conversation, and has said nothing in it since. */
  readonly wentBack?: boolean;
}

export const NO_HISTORY: TerminalHistory = {
  renewalsWithoutProgress: 0,
  renewalsInARow: 0,
  resumesInARow: 0,
  toldOf: 'low',
  parksInARow: 0,
};

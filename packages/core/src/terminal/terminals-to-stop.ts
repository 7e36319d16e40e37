import type { TerminalActivity } from './terminal-activity.js';

export interface StoppableTerminal {
  readonly terminalId: string;
  readonly activity: TerminalActivity;
  readonly since: number;
  /** In the middle of a renewal: the old process ends and the new one starts, and neither is spare. */
  readonly renewing: boolean;
  readonly attended: boolean;
}

export interface ScaleDown {
  readonly now: number;
  /** How many terminals may stay. */
  readonly keep: number;
  readonly idleLongerThanMs: number;
}

/**
 * Which terminals to stop, the longest idle first. Never a terminal that is busy, waiting, starting, renewing or
 * attended.
 */
export function terminalsToStop<T extends StoppableTerminal>(terminals: readonly T[], rule: ScaleDown): readonly T[] {
  const living = terminals.filter(({ activity }) => activity !== 'exited');
  return living
    .filter(({ activity, renewing, attended }) => activity === 'idle' && !renewing && !attended)
    .filter(({ since }) => rule.now - since > rule.idleLongerThanMs)
    .toSorted((a, b) => a.since - b.since)
    .slice(0, Math.max(0, living.length - rule.keep));
}

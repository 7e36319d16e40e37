import type { RenewalRow } from '../pressure/renewal-row.js';
import type { RenewalCause } from './renewal-event.js';

/** State of a terminal's renewal. */
export type RenewalState =
  | ({ readonly phase: 'idle' } & RenewalCounts)
  | (Underway & { readonly phase: 'requesting-handoff'; readonly until: number })
  | (Underway & { readonly phase: 'documenting'; readonly words?: string })
  | (Underway & { readonly phase: 'committing'; readonly document: string })
  | (Underway & { readonly phase: 'ending'; readonly document: string })
  | (Underway & { readonly phase: 'spawning'; readonly document: string; readonly attempt: number })
  | (Underway & { readonly phase: 'confirming'; readonly document: string })
  /** The agent could not be restarted: its task goes back to the queue. The document stays in the record. */
  | (Underway & { readonly phase: 'releasing'; readonly document: string; readonly error: string })
  | ({ readonly phase: 'failed'; readonly document: string; readonly error: string } & RenewalCounts);

export interface RenewalCounts extends RenewalRow {
  /** All that were completed: the terminal's `contextRefreshCount`. */
  readonly completed: number;
}

interface Underway extends RenewalCounts {
  readonly cause: RenewalCause;
  readonly oldAgentId: string;
  readonly newAgentId: string;
  readonly taskId?: string;
}

export const NEVER_RENEWED: RenewalState = { phase: 'idle', completed: 0, inARow: 0, hasWorked: true };

/** The three states of seed 002, and one without a name there. */
export type ContextRefreshState = 'requesting-handoff' | 'committing' | 'restarting' | 'confirming' | null;

export function contextRefreshState({ phase }: RenewalState): ContextRefreshState {
  switch (phase) {
    case 'idle':
    case 'failed':
      return null;
    case 'requesting-handoff':
    case 'confirming':
      return phase;
    case 'documenting':
    case 'committing':
      return 'committing';
    case 'ending':
    case 'spawning':
    case 'releasing':
      return 'restarting';
  }
}

/** Whether others must leave the terminal alone: no scaling down, typing or claiming. */
export const isRenewing = ({ phase }: Pick<RenewalState, 'phase'>): boolean => phase !== 'idle' && phase !== 'failed';

import { type RowRefusal, refusalOfRow } from '../pressure/renewal-row.js';
import { MAX_CONTEXT_REFRESHES } from './constants.js';
import { isRenewing, type RenewalState } from './renewal-state.js';

export type RefreshVerdict =
  | { readonly refresh: true; readonly refreshCount: number }
  | { readonly refresh: false; readonly reason: RefreshRefusal };

export type RefreshRefusal = 'switched off' | 'under way' | 'shutting down' | RowRefusal;

export interface RefreshQuestion {
  readonly renewal: RenewalState;
  /** The terminal's `autoHandoff`. */
  readonly autoHandoff: boolean;
  readonly isShuttingDown: boolean;
  /** A person asks: neither the switch nor the row counts. */
  readonly isAskedFor?: boolean;
  readonly most?: number;
}

/** The guards of seed 002: whether a warning of pressure begins a renewal. */
export function maybeContextRefresh(question: RefreshQuestion): RefreshVerdict {
  const reason = refusalOf(question);
  return reason === undefined
    ? { refresh: true, refreshCount: question.renewal.completed + 1 }
    : { refresh: false, reason };
}

function refusalOf(question: RefreshQuestion): RefreshRefusal | undefined {
  const { renewal, autoHandoff, isShuttingDown, isAskedFor = false, most = MAX_CONTEXT_REFRESHES } = question;
  if (isShuttingDown) return 'shutting down';
  if (!autoHandoff && !isAskedFor) return 'switched off';
  if (isRenewing(renewal)) return 'under way';
  return isAskedFor ? undefined : refusalOfRow(renewal, most);
}

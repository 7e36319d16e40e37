import { MAX_CONTEXT_REFRESHES } from './constants.js';
import { isRenewing, type RenewalState } from './renewal-state.js';

export type RefreshVerdict =
  | { readonly refresh: true; readonly refreshCount: number }
  | { readonly refresh: false; readonly reason: RefreshRefusal };

export type RefreshRefusal =
  | 'switched off'
  | 'under way'
  | 'too many in a row'
  | 'no progress since the last one'
  | 'shutting down';

export interface RefreshQuestion {
  readonly renewal: RenewalState;
  /** The terminal's `autoHandoff`. */
  readonly autoHandoff: boolean;
  readonly isShuttingDown: boolean;
  readonly most?: number;
}

/** The guards of seed 002: whether a warning of pressure begins a renewal. */
export function maybeContextRefresh({
  renewal,
  autoHandoff,
  isShuttingDown,
  most = MAX_CONTEXT_REFRESHES,
}: RefreshQuestion): RefreshVerdict {
  const reason = isShuttingDown
    ? 'shutting down'
    : !autoHandoff
      ? 'switched off'
      : isRenewing(renewal)
        ? 'under way'
        : renewal.inARow >= most
          ? 'too many in a row'
          : renewal.withoutProgress > 0
            ? 'no progress since the last one'
            : undefined;
  return reason === undefined ? { refresh: true, refreshCount: renewal.completed + 1 } : { refresh: false, reason };
}

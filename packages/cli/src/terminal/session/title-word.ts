import type { TerminalStatus } from '@devs/supervisor';
import type { PrefixKey } from '../relay/prefix-keys.js';

/** What stands behind the agent's title: how full its context is, and what to press when it is too full. Pure. */
export function titleWord(status: TerminalStatus | undefined, prefix: PrefixKey | undefined): string {
  if (status === undefined) return '';
  if (status.contextRefreshState !== null) return 'renewing';
  if (status.pressure <= 0) return '';
  const share = `${Math.round(status.pressure * 100)}%`;
  return status.mark === 'firm' && prefix !== undefined ? `${share}, ${prefix.label} r renews` : share;
}

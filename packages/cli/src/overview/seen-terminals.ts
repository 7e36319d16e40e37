import type { SeenTerminals, TerminalSigns } from '@devs/core';
import type { TerminalListing } from '../terminal/listing/terminal-listing.js';

/** What a list of terminals says of those of runs. Pure. */
export function seenTerminals(terminals: readonly TerminalListing[], now: number): SeenTerminals {
  const known = new Map(terminals.map((terminal) => [terminal.name, signsOf(terminal)]));
  return { now, signs: (name) => known.get(name) };
}

/** Pure. */
export const signsOf = ({ activity, isAttended, needs }: TerminalListing): TerminalSigns => ({
  activity,
  isAttended,
  ...(needs?.kind === 'waiting' ? { detail: needs.detail } : {}),
  ...(needs?.kind === 'escalated' ? { escalation: needs.detail } : {}),
  ...(needs?.kind === 'parked' && needs.until !== undefined
    ? { parkedUntil: needs.until, parkedWhy: needs.detail === '' ? 'usage-limit' : needs.detail }
    : {}),
});

import type { Terminal } from '@devs/api';
import type { ContextUsage, TerminalActivity } from '@devs/core';
import type { Seat } from '@devs/terminals/admission';
import type { TerminalWorld } from '../terminal-world.js';

/** What the supervisor says of a terminal that it holds. */
export interface SupervisedStatus {
  readonly state?: {
    readonly activity: TerminalActivity;
    readonly since: number;
    readonly evidence: { readonly detail: string };
  };
  readonly usage?: ContextUsage;
  readonly isAttended: boolean;
}

/** By their names. Starts no supervisor. Inside a terminal of devs only the own one is known. */
export async function supervisedStatuses(
  { supervisor }: Pick<TerminalWorld, 'supervisor'>,
  seat: Seat,
): Promise<ReadonlyMap<string, SupervisedStatus>> {
  const statuses = new Map<string, SupervisedStatus>();
  if (seat.kind !== 'outside') {
    const own = seat.terminalId === undefined ? undefined : await supervisor.ownTerminal(seat.terminalId);
    if (own !== undefined) statuses.set(own.name, statusOf(own));
    return statuses;
  }
  for (const held of (await supervisor.heldTerminals()) ?? []) statuses.set(held.name, statusOf(held));
  return statuses;
}

function statusOf({ activity, since, detail = '', usage, isAttended }: Terminal): SupervisedStatus {
  return {
    ...(since === undefined ? {} : { state: { activity, since, evidence: { detail } } }),
    ...(usage === undefined ? {} : { usage }),
    isAttended,
  };
}

import type { Ledger, Said } from '../ledger/ledger.js';

export interface LastRequests {
  /** The newest last. Those before it were asked right before it, so that nothing answers them separately. */
  readonly requests: readonly Said[];
  /** Nothing happened since. */
  readonly unanswered: boolean;
}

/** The last request of the user, with those that were queued up in front of it. */
export function lastRequests({ requests, lastInput, step }: Ledger): LastRequests {
  const last = requests.at(-1);
  if (last === undefined) return { requests: [], unanswered: false };
  let first = requests.length - 1;
  while (first > 0 && requests.length - first < MOST_TOGETHER) {
    const before = requests[first - 1];
    if (before === undefined || happenedBetween(before.step, requests[first]?.step ?? 0, lastInput)) break;
    first -= 1;
  }
  return { requests: requests.slice(first), unanswered: !happenedBetween(last.step, step + 1, lastInput) };
}

const MOST_TOGETHER = 5;

/** What the agent program wrote in the user's place is nothing that the agent did. */
function happenedBetween(before: number, after: number, lastInput: Said | undefined): boolean {
  const noted = lastInput !== undefined && lastInput.step > before && lastInput.step < after ? 1 : 0;
  return after - before - 1 - noted > 0;
}

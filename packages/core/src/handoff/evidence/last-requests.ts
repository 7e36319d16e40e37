import type { Ledger, Request, Said } from '../ledger/ledger.js';

export interface LastRequests {
  /** The newest last. Those before it were asked right before it, so that nothing answers them separately. */
  readonly requests: readonly Request[];
  /** Nothing happened since. */
  readonly unanswered: boolean;
}

/**
 * The last request of the user, with those queued before it. “Go on” says nothing by itself: it comes with the newest
 * meaningful request before it.
 */
export function lastRequests({ requests, lastInput, step }: Ledger): LastRequests {
  const last = requests.at(-1);
  if (last === undefined) return { requests: [], unanswered: false };
  let first = requests.length - 1;
  while (first > 0 && requests.length - first < MAX_TOGETHER) {
    const before = requests[first - 1];
    if (before === undefined || happenedBetween(before.step, requests[first]?.step ?? 0, lastInput)) break;
    first -= 1;
  }
  const together = requests.slice(first);
  const meant = together.every(isBare) ? requests.slice(0, first).findLast((said) => !isBare(said)) : undefined;
  return {
    requests: meant === undefined ? together : [meant, ...together],
    unanswered: !happenedBetween(last.step, step + 1, lastInput),
  };
}

const MAX_TOGETHER = 5;

/** In no language is so little more than a reply to what was said before; and if it is, more is told than had to be. */
export const isBareReply = (text: string): boolean => [...text.trim()].length <= MAX_BARE_LENGTH;

const isBare = ({ text }: Said): boolean => isBareReply(text);

const MAX_BARE_LENGTH = 15;

/** What the agent program wrote in the user's place is nothing that the agent did. */
function happenedBetween(before: number, after: number, lastInput: Said | undefined): boolean {
  const noted = lastInput !== undefined && lastInput.step > before && lastInput.step < after ? 1 : 0;
  return after - before - 1 - noted > 0;
}

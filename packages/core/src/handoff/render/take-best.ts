import type { Candidate, Surrounding } from './candidate.js';
import { createQueue } from './queue.js';

export interface Market {
  /** What the candidate adds for what it costs; nothing where it adds nothing or cannot be paid. */
  ratioOf(candidate: Candidate): number | undefined;
  /** Gives what has become cheaper for those that stand in it. */
  take(candidate: Candidate): readonly Surrounding[];
}

/**
 * Takes the best candidate, one after the other, until none is left that adds anything and can be paid.
 *
 * What a candidate adds only falls while others are told, so a figure from before is never too low; what it costs falls only
 * when something around it is opened, and those that this concerns are looked at anew. Nobody else need be.
 */
export function takeBest(candidates: readonly Candidate[], { ratioOf, take }: Market): void {
  const queue = createQueue<Candidate>();
  const orders = new Map(candidates.map((candidate, order) => [candidate, order]));
  const standingIn = groupBySurrounding(candidates);
  const consider = (candidate: Candidate) => {
    const order = orders.get(candidate);
    const ratio = order === undefined ? undefined : ratioOf(candidate);
    if (order !== undefined && ratio !== undefined) queue.add({ value: candidate, ratio, order });
  };
  candidates.forEach(consider);
  for (let top = queue.take(); top !== undefined; top = queue.take()) {
    const candidate = top.value;
    if (!orders.has(candidate)) continue; // taken, or given up, when it stood here a second time
    const ratio = ratioOf(candidate);
    if (ratio === undefined) orders.delete(candidate);
    else if (ratio < top.ratio) queue.add({ ...top, ratio });
    else {
      orders.delete(candidate);
      for (const surrounding of take(candidate)) standingIn.get(surrounding)?.forEach(consider);
    }
  }
}

function groupBySurrounding(candidates: readonly Candidate[]): ReadonlyMap<Surrounding, readonly Candidate[]> {
  const groups = new Map<Surrounding, Candidate[]>();
  for (const candidate of candidates) {
    for (const surrounding of candidate.surroundings) {
      const group = groups.get(surrounding);
      if (group === undefined) groups.set(surrounding, [candidate]);
      else group.push(candidate);
    }
  }
  return groups;
}

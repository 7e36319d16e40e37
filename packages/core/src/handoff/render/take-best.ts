import type { Candidate, Surrounding } from './candidate.js';
import { createQueue } from './queue.js';

export interface Market {
  /** What the candidate adds for what it costs; nothing where it adds nothing or cannot be paid. */
  ratioOf(candidate: Candidate): number | undefined;
  /** Nothing of its kind can be paid any more: it need not be asked for again. */
  isOver(candidate: Candidate): boolean;
  /** Gives what has become cheaper for those that stand in it. */
  take(candidate: Candidate): readonly Surrounding[];
}

/**
 * Takes the best candidates, one by one, until none is left that adds anything and fits.
 *
 * The gain of a candidate only falls as others are taken, so an earlier figure is never too low; its cost falls only
 * when something around it is opened, and those affected are computed again. No others need be.
 */
export function takeBest(candidates: readonly Candidate[], { ratioOf, isOver, take }: Market): void {
  const queue = createQueue();
  const isDone = new Uint8Array(candidates.length);
  const standingIn = groupBySurrounding(candidates);
  const consider = (order: number) => {
    const ratio = isDone[order] === 1 ? undefined : ratioOf(candidates[order] as Candidate);
    if (ratio !== undefined) queue.add(ratio, order);
  };
  for (let order = 0; order < candidates.length; order++) consider(order);
  for (let top = queue.take(); top !== undefined; top = queue.take()) {
    const { order } = top;
    if (isDone[order] === 1) continue; // taken, or given up, when it stood here a second time
    const candidate = candidates[order] as Candidate;
    const ratio = ratioOf(candidate);
    if (ratio === undefined) {
      isDone[order] = 1;
      if (isOver(candidate)) queue.keep((other) => !isOver(candidates[other] as Candidate));
    } else if (ratio < top.ratio) queue.add(ratio, order);
    else {
      isDone[order] = 1;
      for (const surrounding of take(candidate)) standingIn.get(surrounding)?.forEach(consider);
    }
  }
}

/** The places of the candidates in each. */
function groupBySurrounding(candidates: readonly Candidate[]): ReadonlyMap<Surrounding, readonly number[]> {
  const groups = new Map<Surrounding, number[]>();
  for (const [order, { surroundings }] of candidates.entries()) {
    for (const surrounding of surroundings) {
      const group = groups.get(surrounding);
      if (group === undefined) groups.set(surrounding, [order]);
      else group.push(order);
    }
  }
  return groups;
}

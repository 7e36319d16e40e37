import type { Candidate, Surrounding } from './candidate.js';
import type { Measure } from './measure.js';

/** Keeps account of the budget. The first item of a section or group pays for what stands around it, too. */
export interface Till {
  price(candidate: Candidate): number;
  canPay(candidate: Candidate): boolean;
  /** What an item of the index may cost at most, and any other. */
  left(isIndex: boolean): number;
  /** Gives what is open from now on, and has become cheaper for others by that. */
  pay(candidate: Candidate): readonly Surrounding[];
  spent(): number;
  giveBack(amount: number): void;
  /** What was paid for, and is not told after all. `closed`: what stood around nothing else. */
  takeBack(candidates: readonly Candidate[], closed: readonly Surrounding[]): void;
}

export function createTill({ room, cost }: Measure, ahead: readonly string[]): Till {
  const opened = new Set<Surrounding>();
  let spent = ahead.reduce((sum, text) => sum + cost(text), 0);
  let leftForIndex = INDEX_SHARE * room;
  const price = ({ price: own, surroundings: [heading, frame] }: Candidate): number =>
    own + (opened.has(heading) ? 0 : heading.price) + (opened.has(frame) ? 0 : frame.price);
  const left = (isIndex: boolean): number => (isIndex ? Math.min(room - spent, leftForIndex) : room - spent);
  return {
    price,
    left,
    spent: () => spent,
    giveBack(amount) {
      spent -= Math.max(0, amount);
    },
    takeBack(candidates, closed) {
      for (const { price: own, isIndex } of candidates) if (isIndex) leftForIndex += own;
      for (const surrounding of closed) opened.delete(surrounding);
    },
    canPay: (candidate) => price(candidate) <= left(candidate.isIndex),
    pay(candidate) {
      const due = price(candidate);
      spent += due;
      if (candidate.isIndex) leftForIndex -= due;
      const newly = candidate.surroundings.filter((surrounding) => !opened.has(surrounding));
      for (const surrounding of newly) opened.add(surrounding);
      return newly;
    },
  };
}

/** A list of names is an index, not a handoff. */
const INDEX_SHARE = 0.2;

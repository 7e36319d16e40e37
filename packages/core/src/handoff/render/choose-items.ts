import type { HandoffDocument, HandoffItem } from '../document/handoff-document.js';
import { type Candidate, candidatesOf, type Surrounding } from './candidate.js';
import { LEFT_OUT_LEAD, leftOutName } from './left-out.js';
import type { Measure } from './measure.js';
import type { Extent } from './render-item.js';
import { takeBest } from './take-best.js';
import { createTill } from './till.js';
import { createUntold, withParts } from './untold.js';

/**
 * Fills the budget by expected usefulness: what is required first, shortened, then as long as it may be; then, one after
 * the other, the item that adds most for what it costs. A name counts once: what the chosen items say already adds nothing.
 */
export function chooseItems(
  document: HandoffDocument,
  measure: Measure,
  { opening, costOf }: Composing,
): ReadonlyMap<HandoffItem, Extent> {
  const candidates = candidatesOf(document, measure);
  const untold = createUntold(candidates, document.names);
  const till = createTill(measure, paidAhead(document, opening));
  const chosen = new Map<HandoffItem, Extent>();
  const taken = new Set<Candidate>();
  const take = (candidate: Candidate): readonly Surrounding[] => {
    untold.tell(candidate);
    chosen.set(candidate.item, candidate.extent);
    taken.add(candidate);
    return till.pay(candidate);
  };

  const needed = candidates.filter(({ part }) => part === 'must').sort((a, b) => b.item.worth - a.item.worth);
  for (const candidate of needed) if (till.canPay(candidate)) take(candidate);
  const verbatim = candidates.filter(({ part, item }) => part === 'rest-of-required' && item.worth >= VERBATIM);
  for (const candidate of verbatim) if (chosen.has(candidate.item) && till.canPay(candidate)) take(candidate);

  const isLeft = ({ part, item }: Candidate) =>
    part === 'choice' ? !chosen.has(item) : part === 'rest-of-required' && chosen.get(item) === 'short';
  const fill = (rest: readonly Candidate[]) => {
    const [cheapest, cheapestInIndex] = [leastOf(rest, false), leastOf(rest, true)];
    takeBest(rest, {
      ratioOf(candidate) {
        const gain = untold.gain(candidate);
        if (gain <= 0) return undefined;
        const price = till.price(candidate);
        return price <= till.left(candidate.isIndex) ? gain / (price + attention(candidate)) : undefined;
      },
      isOver: ({ isIndex }) => till.left(isIndex) < (isIndex ? cheapestInIndex : cheapest),
      take,
    });
  };
  fill(candidates.filter(isLeft));
  const repeated = namesToldTwice(taken);
  for (const candidate of repeated) {
    taken.delete(candidate);
    chosen.delete(candidate.item);
  }
  till.takeBack(repeated, closedBy(repeated, taken));
  // Prices are the highest that each could come to; what was saved is spent, too.
  till.giveBack(till.spent() - costOf(chosen));
  fill(candidates.filter((candidate) => isLeft(candidate) && till.canPay(candidate)));
  return chosen;
}

/** What the cheapest of these costs at least. */
const leastOf = (candidates: readonly Candidate[], inIndex: boolean): number =>
  candidates.reduce(
    (least, { isIndex, price, surroundings: [heading, frame] }) =>
      isIndex === inIndex ? Math.min(least, price + Math.min(0, heading.price) + Math.min(0, frame.price)) : least,
    Number.POSITIVE_INFINITY,
  );

/** What stood around these, and around nothing that remains. */
function closedBy(gone: readonly Candidate[], remaining: ReadonlySet<Candidate>): readonly Surrounding[] {
  const open = new Set([...remaining].flatMap(({ surroundings }) => surroundings));
  return gone.flatMap(({ surroundings }) => surroundings).filter((surrounding) => !open.has(surrounding));
}

/** A short name takes a reader as long as a path does, so that it must not win by its shortness alone. */
const attention = ({ item }: Candidate): number => (item.form === 'name' ? 5 : 0);

interface Composing {
  /** What stands there at any rate. */
  readonly opening: string;
  /** What the document costs with these items. */
  readonly costOf: (chosen: ReadonlyMap<HandoffItem, Extent>) => number;
}

/** What is worth this much is told as long as it may be before anything else is told at all: the user's last words. */
const VERBATIM = 100;

/** What the required items cost at least, with all that stands around them. */
export function costOfRequired(document: HandoffDocument, measure: Measure, opening: string): number {
  const till = createTill(measure, paidAhead(document, opening));
  const required = candidatesOf(document, measure, (item) => item.required === true);
  for (const candidate of required) if (candidate.part === 'must') till.pay(candidate);
  return till.spent();
}

/** What stands there at any rate, and the names of all sections: each that is opened gives the price of its own back. */
const paidAhead = ({ sections }: HandoffDocument, opening: string): readonly string[] => [
  opening,
  LEFT_OUT_LEAD,
  ...sections.map(({ id }) => leftOutName(id)),
];

/** Names by themselves that another item tells, too: it was taken later, as it says more than they do. */
function namesToldTwice(taken: ReadonlySet<Candidate>): readonly Candidate[] {
  const told = new Set<string>();
  const isName = ({ item }: Candidate) => item.form === 'name';
  for (const candidate of taken) {
    if (isName(candidate)) continue;
    for (const name of candidate.names) for (const part of withParts(name)) told.add(part);
  }
  return [...taken].filter((candidate) => isName(candidate) && told.has(candidate.item.text));
}

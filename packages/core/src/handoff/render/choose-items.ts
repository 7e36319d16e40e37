import { type HandoffDocument, type HandoffItem, SECTIONS, type SectionId } from '../document/handoff-document.js';
import { namesIn } from '../names.js';
import type { Measure } from './measure.js';
import { type Extent, renderFrame, renderItem } from './render-item.js';
import { createUntold } from './untold.js';

/**
 * Fills the budget by expected usefulness: what is required first, shortened, then as long as it may be; then, one after
 * the other, the item that adds most for what it costs. A name counts once: what the chosen items say already adds nothing.
 */
export function chooseItems(
  document: HandoffDocument,
  measure: Measure,
  opening: string,
): ReadonlyMap<HandoffItem, Extent> {
  const candidates = candidatesOf(document, measure);
  const untold = createUntold(candidates, document.names);
  const till = createTill(measure, opening);
  const chosen = new Map<HandoffItem, Extent>();
  const take = (candidate: Candidate) => {
    till.pay(candidate);
    untold.tell(candidate);
    chosen.set(candidate.item, candidate.extent);
  };

  const needed = candidates.filter(({ part }) => part === 'must').sort((a, b) => b.item.worth - a.item.worth);
  for (const candidate of needed) if (till.canPay(candidate)) take(candidate);
  const verbatim = candidates.filter(({ part, item }) => part === 'rest-of-required' && item.worth >= VERBATIM);
  for (const candidate of verbatim) if (chosen.has(candidate.item) && till.canPay(candidate)) take(candidate);

  let rest = candidates.filter(
    ({ part, item }) => part === 'choice' || (part === 'rest-of-required' && chosen.get(item) === 'short'),
  );
  while (rest.length > 0) {
    rest = rest.filter((candidate) => untold.gain(candidate) > 0 && till.canPay(candidate));
    const best = bestOf(rest, (candidate) => untold.gain(candidate) / till.price(candidate));
    if (best === undefined) break;
    take(best);
    rest = rest.filter((candidate) => candidate !== best);
  }
  return chosen;
}

/** What is worth this much is told as long as it may be before anything else is told at all: the user's last words. */
const VERBATIM = 100;

/** What the required items cost at least, with all that stands around them. */
export function costOfRequired(document: HandoffDocument, measure: Measure, opening: string): number {
  const till = createTill(measure, opening);
  for (const candidate of candidatesOf(document, measure)) if (candidate.part === 'must') till.pay(candidate);
  return till.spent();
}

export interface Candidate {
  readonly item: HandoffItem;
  /** A required item is taken short, and its rest where there is room. */
  readonly part: 'must' | 'rest-of-required' | 'choice';
  readonly extent: Extent;
  readonly worth: number;
  readonly section: SectionId;
  readonly names: ReadonlySet<string>;
  readonly price: number;
  /** Little more than names. */
  readonly isIndex: boolean;
  /** Candidates with the same frame are shown together. */
  readonly frame: string;
  readonly framePrice: number;
}

const candidatesOf = ({ sections }: HandoffDocument, measure: Measure): readonly Candidate[] =>
  sections.flatMap(({ id, items }) => items.flatMap((item) => partsOf(item, id, measure)));

function partsOf(item: HandoffItem, section: SectionId, { room, cost }: Measure): readonly Candidate[] {
  const frame = renderFrame(item);
  const framed = { item, section, frame: `${section} ${frame}`, framePrice: cost(frame) };
  const whole = renderItem({ item, extent: 'whole' }, room);
  const names = namesIn(whole);
  if (!item.required) {
    const isIndex = item.form === 'name' || (item.form !== 'quote' && isMostlyNames(whole, names));
    return [
      { ...framed, part: 'choice', extent: 'whole', worth: item.worth, names, price: cost(`${whole}\n`), isIndex },
    ];
  }
  const short = renderItem({ item, extent: 'short' }, room);
  const price = cost(`${short}\n`);
  const must: Candidate = {
    ...framed,
    part: 'must',
    extent: 'short',
    worth: item.worth,
    names: namesIn(short),
    price,
    isIndex: false,
  };
  if (short === whole) return [{ ...must, extent: 'whole' }];
  const more = Math.max(0, cost(`${whole}\n`) - price);
  return [
    must,
    { ...must, part: 'rest-of-required', extent: 'whole', worth: item.worth * REST_WORTH, names, price: more },
  ];
}

/** What has to be said was said; the rest of it is a help. */
const REST_WORTH = 0.5;

function isMostlyNames(text: string, names: ReadonlySet<string>): boolean {
  let characters = 0;
  for (const name of names) characters += name.length * (text.split(name).length - 1);
  return characters > MOSTLY * text.replace(/\s/g, '').length;
}

const MOSTLY = 0.68;

function bestOf(candidates: readonly Candidate[], ratioOf: (candidate: Candidate) => number): Candidate | undefined {
  let best: Candidate | undefined;
  let bestRatio = 0;
  for (const candidate of candidates) {
    const ratio = ratioOf(candidate);
    if (ratio <= bestRatio) continue;
    best = candidate;
    bestRatio = ratio;
  }
  return best;
}

/** Keeps account of the budget. The first item of a section or group pays for its frame, too. */
function createTill({ room, cost }: Measure, opening: string) {
  const opened = new Set<string>();
  let spent = cost(opening);
  let leftForIndex = INDEX_SHARE * room;
  const price = ({ price: own, section, frame, framePrice }: Candidate): number =>
    own + (opened.has(section) ? 0 : headingPrice(section)) + (opened.has(frame) ? 0 : framePrice);
  const headingPrice = (section: SectionId) => cost(`\n\n## ${SECTIONS[section]}\n(10000 more left out)\n`);
  return {
    price,
    spent: () => spent,
    canPay: (candidate: Candidate): boolean =>
      price(candidate) <= (candidate.isIndex ? Math.min(room - spent, leftForIndex) : room - spent),
    pay(candidate: Candidate) {
      const due = price(candidate);
      spent += due;
      if (candidate.isIndex) leftForIndex -= due;
      opened.add(candidate.section).add(candidate.frame);
    },
  };
}

/** A list of names is an index, not a handoff. */
const INDEX_SHARE = 0.22;

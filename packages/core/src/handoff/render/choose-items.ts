import { type HandoffDocument, type HandoffItem, SECTIONS, type SectionId } from '../document/handoff-document.js';
import { namesIn } from '../names.js';
import type { Measure } from './measure.js';
import { renderFrame, renderItem } from './render-item.js';
import { createUntold } from './untold.js';

/**
 * Fills the budget by expected usefulness: what is required first; then, one after the other, the item that adds most
 * for what it costs. A name counts once: what the chosen items say already adds nothing.
 */
export function chooseItems(document: HandoffDocument, measure: Measure, opening: string): ReadonlySet<HandoffItem> {
  const candidates = candidatesOf(document, measure);
  const untold = createUntold(candidates, document.names);
  const till = createTill(measure, opening);
  const chosen = new Set<HandoffItem>();
  const take = (candidate: Candidate) => {
    till.pay(candidate);
    untold.tell(candidate);
    chosen.add(candidate.item);
  };

  for (const candidate of candidates) if (candidate.item.required && till.canPay(candidate)) take(candidate);
  let rest = candidates.filter(({ item }) => !chosen.has(item));
  while (rest.length > 0) {
    rest = rest.filter((candidate) => untold.gain(candidate) > 0 && till.canPay(candidate));
    const best = bestOf(rest, (candidate) => untold.gain(candidate) / till.price(candidate));
    if (best === undefined) break;
    take(best);
    rest = rest.filter((candidate) => candidate !== best);
  }
  return chosen;
}

export interface Candidate {
  readonly item: HandoffItem;
  readonly section: SectionId;
  readonly names: ReadonlySet<string>;
  readonly price: number;
  /** Little more than names. */
  readonly isIndex: boolean;
  /** Candidates with the same frame are shown together. */
  readonly frame: string;
  readonly framePrice: number;
}

const candidatesOf = ({ sections }: HandoffDocument, { room, cost }: Measure): readonly Candidate[] =>
  sections.flatMap(({ id, items }) =>
    items.map((item) => {
      const text = renderItem(item, room);
      const names = namesIn(text);
      const frame = renderFrame(item);
      const isIndex = item.form === 'name' || (item.form !== 'quote' && isMostlyNames(text, names));
      return { item, section: id, names, price: cost(`${text}\n`), isIndex, frame, framePrice: cost(frame) };
    }),
  );

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
  let left = room - cost(opening);
  let leftForIndex = INDEX_SHARE * room;
  const price = ({ price: own, section, frame, framePrice }: Candidate): number =>
    own + (opened.has(section) ? 0 : headingPrice(section)) + (opened.has(frame) ? 0 : framePrice);
  const headingPrice = (section: SectionId) => cost(`\n\n## ${SECTIONS[section]}\n(1000 more left out)\n`);
  return {
    price,
    canPay: (candidate: Candidate): boolean =>
      price(candidate) <= (candidate.isIndex ? Math.min(left, leftForIndex) : left),
    pay(candidate: Candidate) {
      left -= price(candidate);
      if (candidate.isIndex) leftForIndex -= price(candidate);
      opened.add(candidate.section).add(candidate.frame);
    },
  };
}

/** A list of names is an index, not a handoff. */
const INDEX_SHARE = 0.22;

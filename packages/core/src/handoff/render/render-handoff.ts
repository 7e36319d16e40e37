import { redactText } from '../../redaction/redact-text.js';
import { type HandoffDocument, type HandoffItem, SECTIONS, type SectionId } from '../document/handoff-document.js';
import { INTRODUCTION, TITLE } from '../opening.js';
import { chooseItems, costOfRequired } from './choose-items.js';
import { renderLeftOut } from './left-out.js';
import { type HandoffBudget, type Measure, measureOf } from './measure.js';
import { type Extent, renderItems, type ShownItem } from './render-item.js';

const OPENING = `${TITLE}\n\n${INTRODUCTION}`;

/** The document as text that fits the budget: the same text for the same document and budget. */
export function renderHandoff(document: HandoffDocument, budget: HandoffBudget): string {
  const measure = measureOf(budget);
  let { room } = measure;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // Items are redacted one by one; beside each other they could still make a secret, and its placeholder is longer.
    const text = redactText(compose(document, { ...measure, room }));
    const excess = measure.cost(text) - measure.room;
    if (excess <= 0) return text;
    room -= excess;
  }
  return OPENING;
}

const MAX_TRIES = 5;

/**
 * The smallest budget, in the unit of `like`, in which everything that is required stands: each line without its detail,
 * each quote with its beginning and its end, of 460 characters at most.
 */
export function smallestBudget(document: HandoffDocument, like: 'chars' | 'tokens' = 'chars'): number {
  return costOfRequired(document, measureOf(like === 'chars' ? { chars: 0 } : { tokens: 0 }), OPENING);
}

function compose(document: HandoffDocument, measure: Measure): string {
  const write = (chosen: ReadonlyMap<HandoffItem, Extent>) => writeDown(document, chosen, measure.room);
  return write(chooseItems(document, measure, { opening: OPENING, costOf: (chosen) => measure.cost(write(chosen)) }));
}

function writeDown(document: HandoffDocument, chosen: ReadonlyMap<HandoffItem, Extent>, room: number): string {
  const sections = document.sections.map(({ id, items }) => {
    const shown = items.flatMap((item) => {
      const extent = chosen.get(item);
      return extent === undefined ? [] : [{ item, extent }];
    });
    return { id, items, shown, room };
  });
  // A name is also left out where something else tells it.
  const leftOut = sections
    .filter(({ items, shown }) => shown.length === 0 && items.some(({ form }) => form !== 'name'))
    .map(({ id }) => id);
  return [
    OPENING,
    ...sections.filter(({ shown }) => shown.length > 0).map(renderSection),
    ...(leftOut.length === 0 ? [] : [renderLeftOut(leftOut)]),
  ].join('\n\n');
}

interface SectionRendering {
  readonly id: SectionId;
  readonly items: readonly HandoffItem[];
  readonly shown: readonly ShownItem[];
  readonly room: number;
}

function renderSection({ id, items, shown, room }: SectionRendering): string {
  const isEntry = ({ form }: HandoffItem) => form === 'line' || form === 'quote';
  const leftOut = items.filter(isEntry).length - shown.filter(({ item }) => isEntry(item)).length;
  return [
    `## ${SECTIONS[id]}`,
    ...renderItems({ items, shown, room }),
    ...(leftOut > 0 ? [`(${leftOut} more left out)`] : []),
  ].join('\n');
}

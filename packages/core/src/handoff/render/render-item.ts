import { fenced } from '../../supervisor-state/fenced.js';
import { cutAtEnd } from '../cut-at-end.js';
import type { HandoffItem } from '../document/handoff-document.js';
import { code } from '../document/wording.js';

/** What an item adds to the document by itself; excerpts and names come in groups, whose frame is extra. */
export function renderItem({ form, text, label = '', share }: HandoffItem, room: number): string {
  switch (form) {
    case 'line':
      return `- ${text}`;
    case 'excerpt':
      return text;
    case 'name':
      return `, ${code(text)}`;
    case 'quote':
      return `${label}\n${fenced(cutAtEnd(text, longestQuote(text, share, room)))}`;
  }
}

function longestQuote(text: string, share: number | undefined, room: number): number {
  return share === undefined ? text.length : Math.max(SHORTEST_QUOTE, Math.floor(share * room));
}

/** A quote that is cut shorter says nothing. */
const SHORTEST_QUOTE = 260;

/** What stands around the items of a group. */
export const renderFrame = ({ form, label = '' }: HandoffItem): string =>
  form === 'excerpt' ? `${label}\n${fenced('')}\n` : form === 'name' ? `${nameLead(label)}\n` : '';

/** The items of a section as lines; those that belong together stand where the first of them stands. */
export function renderItems(items: readonly HandoffItem[], room: number): readonly string[] {
  const groups = new Map<HandoffItem | string, HandoffItem[]>();
  for (const item of items) {
    const key = item.form === 'excerpt' || item.form === 'name' ? `${item.form} ${item.label ?? ''}` : item;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map((group) => renderGroup(group, room));
}

function renderGroup(group: readonly HandoffItem[], room: number): string {
  const [first] = group;
  if (first?.form === 'excerpt') return `${first.label ?? ''}\n${fenced(group.map(({ text }) => text).join('\n'))}`;
  if (first?.form === 'name') return `${nameLead(first.label ?? '')}${group.map(({ text }) => code(text)).join(', ')}`;
  return group.map((item) => renderItem(item, room)).join('\n');
}

const nameLead = (place: string) => (place === '' ? '- Names that came up: ' : `- Seen in ${code(place)}: `);

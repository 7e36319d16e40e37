import type { HandoffDocument, HandoffItem, SectionId } from '../document/handoff-document.js';
import { SECTIONS } from '../document/handoff-document.js';

/**
 * A document from the text that was rendered from it, as far as the text tells: what the budget left out is gone, and so
 * is how much each item was worth. For merging into the next handoff. Never throws; what is not understood is left out.
 */
export function readHandoffText(text: string): HandoffDocument {
  const id = OLD_CONVERSATION.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  const inARow = Number(/, number (\d{1,4}) in a row/.exec(text)?.[1] ?? 1);
  const from = { handoff: id ?? '' };
  const sections: { id: SectionId; items: HandoffItem[] }[] = [];
  let label = '';
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const section = sectionOf(line);
    if (section !== undefined) sections.push({ id: section, items: [] });
    if (section !== undefined || line === '') label = '';
    const items = sections.at(-1)?.items;
    if (items === undefined || section !== undefined || line === '') continue;
    const fence = /^(`{3,})$/.exec(line)?.[1];
    if (fence !== undefined) {
      const end = closingFence(lines, at + 1, fence);
      items.push({ form: 'quote', text: lines.slice(at + 1, end).join('\n'), label, from: [from], worth: 1 });
      at = end;
      label = '';
    } else if (line.startsWith('- ')) {
      items.push({ form: 'line', text: line.slice(2), ...(label === '' ? {} : { label }), from: [from], worth: 1 });
    } else if (line.endsWith(':')) {
      label = line;
    }
  }
  return {
    version: 1,
    conversation: { ...(id === undefined ? {} : { id }), compactions: 0, renewals: inARow - 1 },
    sections,
    names: {},
  };
}

/** By its name, or by what opens it, which ends with its name. */
const OLD_CONVERSATION = [
  /^- The old conversation is `([^`\n]+)`/m,
  /^- `[^`\n]* ([^`\s]+)` opens the old conversation/m,
] as const;

const TITLES = new Map(Object.entries(SECTIONS).map(([id, title]) => [`## ${title}`, id as SectionId]));

const sectionOf = (line: string): SectionId | undefined => TITLES.get(line);

function closingFence(lines: readonly string[], from: number, fence: string): number {
  const end = lines.indexOf(fence, from);
  return end === -1 ? lines.length : end;
}

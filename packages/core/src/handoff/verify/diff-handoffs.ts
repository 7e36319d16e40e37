import type { HandoffDocument, HandoffItem, SectionId } from '../document/handoff-document.js';

export interface LostItem {
  readonly section: SectionId;
  readonly item: HandoffItem;
}

/** What the first document says and the second does not: what the next conversation will not know. */
export function diffHandoffs(before: HandoffDocument, after: HandoffDocument): readonly LostItem[] {
  const kept = new Set(after.sections.flatMap(({ items }) => items.map(({ text }) => text)));
  return before.sections.flatMap(({ id, items }) =>
    items.filter(({ text }) => !kept.has(text)).map((item) => ({ section: id, item })),
  );
}

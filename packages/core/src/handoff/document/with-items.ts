import type { HandoffDocument, HandoffItem, SectionId } from './handoff-document.js';

/** The document with these items in front of the others of their section. */
export function withItems(document: HandoffDocument, id: SectionId, items: readonly HandoffItem[]): HandoffDocument {
  if (items.length === 0) return document;
  const added = document.sections.map((section) =>
    section.id === id ? { ...section, items: [...items, ...section.items] } : section,
  );
  const sections = added.some((section) => section.id === id) ? added : [...added, { id, items }];
  return { ...document, sections };
}

import { redactText } from '../../redaction/redact-text.js';
import { type HandoffDocument, type HandoffItem, SECTIONS, type SectionId } from '../document/handoff-document.js';
import type { MissingItem } from './verify-handoff.js';

/** The document with what was missing, in the sections where it belongs, and without what was secret. */
export function completeHandoff(document: HandoffDocument, missing: readonly MissingItem[]): HandoffDocument {
  const added = missing.filter(({ what }) => what !== 'redaction');
  const sections = (Object.keys(SECTIONS) as SectionId[]).map((id) => ({
    id,
    items: [
      ...added.filter(({ section }) => section === id).map(({ item }) => item),
      ...(document.sections.find((section) => section.id === id)?.items ?? []).map(redacted),
    ],
  }));
  return { ...document, sections: sections.filter(({ items }) => items.length > 0) };
}

const redacted = (item: HandoffItem): HandoffItem => ({ ...item, text: redactText(item.text) });

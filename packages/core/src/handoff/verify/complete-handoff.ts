import { redacted } from '../document/build-document.js';
import { type HandoffDocument, type HandoffItem, SECTIONS, type SectionId } from '../document/handoff-document.js';
import type { HandoffGap } from './verify-handoff.js';

/**
 * The document with what was missing, in the sections where it belongs, and without what was secret. What it held already,
 * and had no room for, is required from now on.
 */
export function completeHandoff(document: HandoffDocument, faults: readonly HandoffGap[]): HandoffDocument {
  if (faults.length === 0) return document;
  const missing = faults.filter((fault) => fault.kind === 'missing');
  const safe = faults.some((fault) => fault.kind === 'secret') ? redacted : (item: HandoffItem) => item;
  const sections = (Object.keys(SECTIONS) as SectionId[]).map((id) => {
    const held = (document.sections.find((section) => section.id === id)?.items ?? []).map(safe);
    const wanted = missing.filter(({ section }) => section === id).map(({ item }) => item);
    return { id, items: withWanted(held, wanted) };
  });
  return { ...document, sections: sections.filter(({ items }) => items.length > 0) };
}

function withWanted(held: readonly HandoffItem[], wanted: readonly HandoffItem[]): readonly HandoffItem[] {
  const keyOf = ({ form, text }: HandoffItem) => `${form} ${text}`;
  const byKey = new Map(wanted.map((item) => [keyOf(item), item]));
  const kept = held.map((item) => {
    const found = byKey.get(keyOf(item));
    if (found === undefined) return item;
    byKey.delete(keyOf(item));
    return { ...item, worth: Math.max(item.worth, found.worth), required: true };
  });
  return [...byKey.values(), ...kept];
}

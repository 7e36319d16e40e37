import type { HandoffDocument, HandoffItem } from '../handoff/document/handoff-document.js';
import type { Ledger } from '../handoff/ledger/ledger.js';
import { namesIn } from '../handoff/names.js';

/**
 * The document for a reader who already has a text, such as the agent's own summary. Names in that text lose their
 * weight, and quotes from it are left out. Required items stay.
 */
export function withoutKnown(document: HandoffDocument, known: string): HandoffDocument {
  const told = namesIn(known);
  const names = Object.entries(document.names).filter(([name]) => !told.has(name));
  const knownWords = wordsOf(known);
  const isNew = ({ text, required }: HandoffItem) => required === true || !knownWords.includes(wordsOf(text));
  const sections = document.sections.map(({ id, items }) => ({ id, items: items.filter(isNew) }));
  return {
    ...document,
    names: Object.fromEntries(names),
    sections: sections.filter(({ items }) => items.length > 0),
  };
}

/** Quotes and line breaks differ between a text and its quotation. */
const wordsOf = (text: string): string =>
  text
    .replace(/[“”"…]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The agent's own current summary, with nothing after it. A summary of an earlier compaction was itself summarised,
 * and the reader no longer has it.
 */
export const currentSummary = ({ summary, step }: Ledger): string | undefined =>
  summary !== undefined && summary.step >= step ? summary.text : undefined;

import type { HandoffDocument, HandoffItem } from '../handoff/document/handoff-document.js';
import type { Ledger } from '../handoff/ledger/ledger.js';
import { namesIn } from '../handoff/names.js';

/**
 * The document for a reader who has a text already, such as the agent's own summary: the names in it are worth nothing
 * any more, so that what is rendered prefers the others, and what is quoted from it is left out. What is required stays.
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

/** Quotes and line breaks differ between a text and what is told of it. */
const wordsOf = (text: string): string =>
  text
    .replace(/[“”"…]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The summary that stands in the conversation now: the agent wrote it, and nothing has happened since. One of an earlier
 * compaction has been summarised in its turn, and the reader no longer has it.
 */
export const currentSummary = ({ summary, step }: Ledger): string | undefined =>
  summary !== undefined && summary.step >= step ? summary.text : undefined;

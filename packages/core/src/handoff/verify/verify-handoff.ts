import { redactText } from '../../redaction/redact-text.js';
import type { HandoffDocument } from '../document/handoff-document.js';
import { type HandoffBudget, measureOf } from '../render/measure.js';
import { renderHandoff } from '../render/render-handoff.js';
import { renderItem } from '../render/render-item.js';
import { type PlainText, plainText, tells } from './tells.js';
import { type HandoffEvidence, type WantedItem, wantedItems } from './wanted-items.js';

/** What is wrong with a handoff: something that it must say and does not, or something that must not be in it. */
export type HandoffGap =
  | ({ readonly kind: 'missing' } & WantedItem)
  | { readonly kind: 'secret' }
  | { readonly kind: 'too-long'; readonly by: number };

/**
 * What the document lacks of what is known to be so; nothing where it is complete. What it holds must be required there,
 * or the next document of the same could leave it out. With a budget, the rendered text must say it, too: that is what the
 * next conversation gets.
 */
export function verifyHandoff(
  document: HandoffDocument,
  evidence: HandoffEvidence,
  budget?: HandoffBudget,
): readonly HandoffGap[] {
  const text = budget === undefined ? wholeText(document) : renderHandoff(document, budget);
  const [required, plain] = [requiredText(document), plainText(text)];
  const missing = wantedItems(evidence).filter(({ item }) => !tells(required, item) || !tells(plain, item));
  return [...missing.map(asMissing), ...secretsIn(text), ...excess(text, budget)];
}

/**
 * Of these faults only what is missing: what is required is in the document. A fresh document has no secrets, and to look for
 * them again takes long.
 */
export function missingInDocument(document: HandoffDocument, evidence: HandoffEvidence): readonly HandoffGap[] {
  const required = requiredText(document);
  return wantedItems(evidence)
    .filter(({ item }) => !tells(required, item))
    .map(asMissing);
}

/** The same for a text of any author. */
export function verifyHandoffText(
  text: string,
  evidence: HandoffEvidence,
  budget?: HandoffBudget,
): readonly HandoffGap[] {
  const plain = plainText(text);
  const missing = wantedItems(evidence).filter(({ item }) => !tells(plain, item));
  return [...missing.map(asMissing), ...secretsIn(text), ...excess(text, budget)];
}

const asMissing = (wanted: WantedItem): HandoffGap => ({ kind: 'missing', ...wanted });

const requiredText = ({ sections }: HandoffDocument): PlainText =>
  plainText(
    sections
      .flatMap(({ items }) => items.filter(({ required }) => required))
      .map((item) => renderItem({ item, extent: 'short' }, 0))
      .join('\n'),
  );

/** All that the document holds. */
const wholeText = ({ sections }: HandoffDocument): string =>
  sections
    .flatMap(({ items }) => items.flatMap(({ text, detail = '', label = '' }) => [label, `${text}${detail}`]))
    .join('\n');

const secretsIn = (text: string): readonly HandoffGap[] => (redactText(text) === text ? [] : [{ kind: 'secret' }]);

function excess(text: string, budget: HandoffBudget | undefined): readonly HandoffGap[] {
  if (budget === undefined) return [];
  const { room, cost } = measureOf(budget);
  const by = cost(text) - room;
  return by > 0 ? [{ kind: 'too-long', by }] : [];
}

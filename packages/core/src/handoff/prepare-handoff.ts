import { addBlockers, type Blocked } from './document/add-blockers.js';
import { buildHandoff, type HandoffSources } from './document/build-document.js';
import type { HandoffDocument, HandoffItem, SectionId } from './document/handoff-document.js';
import { withItems } from './document/with-items.js';
import type { HandoffBudget } from './render/measure.js';
import { completeHandoff } from './verify/complete-handoff.js';
import { type HandoffGap, missingInDocument, verifyHandoff } from './verify/verify-handoff.js';
import type { HandoffEvidence } from './verify/wanted-items.js';

export interface HandoffPreparation extends Omit<HandoffSources, 'git'> {
  /** Tasks of the queue that the next conversation must not start. */
  readonly blocked?: Blocked;
  /** Known besides, in front of the others of its section. */
  readonly known?: (built: HandoffDocument) => Partial<Record<SectionId, HandoffItem>>;
  /** With it, what the rendered text would lack is missing, too. */
  readonly budget?: HandoffBudget;
}

export interface PreparedHandoff {
  /** Complete: nothing that the evidence holds is missing. */
  readonly document: HandoffDocument;
  /** What the first draft lacked. */
  readonly gaps: readonly HandoffGap[];
}

/** The handoff of a conversation: built from the evidence, verified against it, and completed. Pure. */
export function prepareHandoff(evidence: HandoffEvidence, preparation: HandoffPreparation): PreparedHandoff {
  const { blocked = [], known, budget, ...sources } = preparation;
  const built = buildHandoff(evidence.ledger, { ...sources, git: evidence.git });
  let draft = addBlockers(built, blocked);
  for (const [id, item] of Object.entries(known?.(built) ?? {})) draft = withItems(draft, id as SectionId, [item]);
  const gaps = budget === undefined ? missingInDocument(draft, evidence) : verifyHandoff(draft, evidence, budget);
  return { document: completeHandoff(draft, gaps), gaps };
}

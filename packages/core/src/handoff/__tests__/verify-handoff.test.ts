import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from '../../redaction/redact-text.js';
import { rounds, seed } from '../../testing/rounds.js';
import { buildHandoff } from '../document/build-document.js';
import type { HandoffDocument, HandoffItem } from '../document/handoff-document.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { measureOf } from '../render/measure.js';
import { renderHandoff, smallestBudget } from '../render/render-handoff.js';
import { completeHandoff } from '../verify/complete-handoff.js';
import { verifyHandoff, verifyHandoffText } from '../verify/verify-handoff.js';
import { anyEvidence } from './random-evidence.js';
import { shopTranscript } from './transcript.js';

const empty = (document: HandoffDocument): HandoffDocument => ({ ...document, sections: [] });

const git = {
  branch: 'fix-totals',
  changes: [
    { path: 'src/cart/add-up.ts', state: 'changed' as const, unstaged: 'modified', lines: { added: 1, deleted: 1 } },
    { path: 'src/new.ts', state: 'untracked' as const },
  ],
  moreChanges: 0,
  commits: [],
  operation: { kind: 'merge' },
};

describe('verifying a handoff', () => {
  const ledger = ledgerOf(shopTranscript());
  const document = buildHandoff(ledger, { git });

  it('finds nothing missing in a document of the same evidence', () => {
    expect(verifyHandoff(document, { ledger, git })).toEqual([]);
    expect(verifyHandoff(document, { ledger, git }, { chars: 3_000 })).toEqual([]);
  });

  it('names what is missing', () => {
    const missing = verifyHandoff(empty(document), { ledger, git });
    expect(missing.map((fault) => (fault.kind === 'missing' ? fault.what : fault.kind))).toEqual([
      'last-request',
      'open-task',
      'open-task',
      'changed-file',
      'changed-file',
      'unresolved-error',
      'unfinished-operation',
    ]);
  });

  it('looks at the text that the next conversation gets, not only at the document', () => {
    const tooSmall = smallestBudget(document) - 200;
    expect(verifyHandoff(document, { ledger, git }, { chars: tooSmall })).not.toEqual([]);
  });

  it('does not rely on what the document may leave out', () => {
    const optional = mapItems(document, ({ required: _, ...item }) => item);
    expect(verifyHandoff(optional, { ledger, git })).toHaveLength(7);
  });

  it('checks a text written by a person', () => {
    const text = `I was asked: Also look at the invoice page, it shows the same number.
      Open: Fix the totals; Write a test for two vouchers. In git a merge is in progress.
      Changed: src/cart/add-up.ts, src/new.ts. "npm test -- add-up" does not pass yet.`;
    expect(verifyHandoffText(text, { ledger, git })).toEqual([]);
    const [fault] = verifyHandoffText(text.replace('src/new.ts', ''), { ledger, git });
    expect(fault).toMatchObject({ kind: 'missing', what: 'changed-file', item: { text: '`src/new.ts`' } });
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    expect(verifyHandoffText(`${text} ${secret}`, { ledger, git })).toEqual([{ kind: 'secret' }]);
    expect(verifyHandoffText(text, { ledger, git }, { chars: 100 })).toMatchObject([{ kind: 'too-long' }]);
  });
});

describe('a completed handoff', () => {
  it('lacks nothing, for any evidence and any budget from the smallest on', () => {
    const budgetOver = fc.record({ unit: fc.constantFrom('chars' as const, 'tokens' as const), more: fc.nat(4_000) });
    fc.assert(
      fc.property(anyEvidence, budgetOver, fc.constantFrom(...DAMAGES), (evidence, { unit, more }, damage) => {
        const start = damage(buildHandoff(evidence.ledger, evidence));
        const smallest = smallestBudget(
          completeHandoff(start, verifyHandoff(start, evidence, { [unit]: 0 } as never)),
          unit,
        );
        const budget = unit === 'chars' ? { chars: smallest + more } : { tokens: smallest + more };

        const whole = completeHandoff(start, verifyHandoff(start, evidence, budget));
        const text = renderHandoff(whole, budget);
        expect(verifyHandoff(whole, evidence, budget)).toEqual([]);
        expect(verifyHandoff(whole, evidence)).toEqual([]);
        expect(measureOf(budget).cost(text)).toBeLessThanOrEqual(smallest + more);
        expect(redactText(text)).toBe(text);
      }),
      { numRuns: rounds(50, 7_500), seed: seed() },
    );
  });
});

/** A document as it should be, and some that are not. */
const DAMAGES: readonly ((document: HandoffDocument) => HandoffDocument)[] = [
  (document) => document,
  empty,
  (document) => mapItems(document, ({ required: _, ...item }) => item),
  (document) => ({ ...document, sections: document.sections.filter((_, index) => index % 2 === 0) }),
];

const mapItems = (document: HandoffDocument, change: (item: HandoffItem) => HandoffItem): HandoffDocument => ({
  ...document,
  sections: document.sections.map((section) => ({ ...section, items: section.items.map(change) })),
});

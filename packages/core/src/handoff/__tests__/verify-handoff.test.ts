import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { buildHandoff } from '../document/build-document.js';
import type { HandoffDocument } from '../document/handoff-document.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import { completeHandoff } from '../verify/complete-handoff.js';
import { diffHandoffs } from '../verify/diff-handoffs.js';
import { verifyHandoff } from '../verify/verify-handoff.js';
import { asked, edited, eventsOf, ran, said, shopTranscript } from './transcript.js';

const empty = (document: HandoffDocument): HandoffDocument => ({ ...document, sections: [] });

describe('verifying a handoff', () => {
  const ledger = ledgerOf(shopTranscript());
  const document = buildHandoff(ledger);

  it('finds nothing missing in a document of the same ledger', () => {
    expect(verifyHandoff(document, { ledger, changedFiles: ['src/cart/add-up.ts'] })).toEqual([]);
  });

  it('names what is missing', () => {
    const missing = verifyHandoff(empty(document), { ledger, changedFiles: ['src/new.ts'] });
    expect(missing.map(({ what }) => what)).toEqual([
      'last-request',
      'open-task',
      'open-task',
      'changed-file',
      'unresolved-error',
    ]);
  });

  it('tells what the next conversation will not know', () => {
    const after = { ...document, sections: document.sections.filter(({ id }) => id !== 'errors') };
    expect(diffHandoffs(document, after).map(({ section }) => section)).toEqual(['errors']);
    expect(diffHandoffs(document, document)).toEqual([]);
  });

  it('finds nothing missing once what was missing is added, for any ledger', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 200 });
    const fact = fc.oneof(
      words.map((text) => [asked(text)]),
      words.map((text) => [said(text)]),
      words.map((text) => ran(`x${text}`, `error ${text}`, 'failed')),
      words.map((path) => edited(`src/${path}`)),
      fc
        .tuple(fc.nat(5), words)
        .map(([id, title]) => [{ type: 'task.changed' as const, taskId: `${id}`, title, status: 'pending' as const }]),
    );
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 30 }), fc.array(words, { maxLength: 5 }), (facts, changedFiles) => {
        const evidence = { ledger: ledgerOf(eventsOf(...facts)), changedFiles };
        for (const start of [buildHandoff(evidence.ledger), empty(buildHandoff(evidence.ledger))]) {
          const whole = completeHandoff(start, verifyHandoff(start, evidence));
          expect(verifyHandoff(whole, evidence)).toEqual([]);
        }
      }),
      { numRuns: rounds(50), seed: seed() },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { buildHandoff } from '../../handoff/document/build-document.js';
import { currentSummary, withoutKnown } from '../without-known.js';
import { asked, ledgerWith, ran, said } from './some-ledger.js';

describe('a document for a reader who has the summary', () => {
  it('gives no weight to names in it', () => {
    const ledger = ledgerWith(asked('Look at src/a/first.ts and src/b/second.ts.'), said('Both are read.'));
    const document = buildHandoff(ledger);

    const { names } = withoutKnown(document, 'The agent read src/a/first.ts.');

    expect(Object.keys(document.names)).toEqual(expect.arrayContaining(['src/a/first.ts', 'src/b/second.ts']));
    expect(Object.keys(names)).toContain('src/b/second.ts');
    expect(Object.keys(names)).not.toContain('src/a/first.ts');
  });

  it('leaves out quotes from it', () => {
    const summary = 'The agent sorted the widgets by weight.\nThe tests of the shop still fail for another reason.';
    const ledger = ledgerWith(asked('Sort.'), said('Sorted.'), { type: 'summary.written', text: summary });
    const textsOf = (document: ReturnType<typeof buildHandoff>) =>
      document.sections.flatMap(({ items }) => items.map(({ text }) => text)).join('\n');

    expect(textsOf(buildHandoff(ledger))).toContain('sorted the widgets by weight');
    expect(textsOf(withoutKnown(buildHandoff(ledger), summary))).not.toContain('sorted the widgets by weight');
    expect(textsOf(withoutKnown(buildHandoff(ledger), summary))).toContain('Sort.');
  });

  it('takes a summary for current only until something happens', () => {
    const written = [asked('Sort.'), { type: 'summary.written', text: 'They were sorted.' }] as const;

    expect(currentSummary(ledgerWith(...written))).toBe('They were sorted.');
    expect(currentSummary(ledgerWith(...written, ...ran('npm test', 'ok')))).toBeUndefined();
    expect(currentSummary(ledgerWith(asked('Sort.')))).toBeUndefined();
  });
});

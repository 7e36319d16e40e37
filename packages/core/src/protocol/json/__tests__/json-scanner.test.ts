import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../../testing/rounds.js';
import { detect } from '../../partial-completion-detector.js';
import { JsonScanner } from '../json-scanner.js';
import { JsonValueScanner } from '../json-value-scanner.js';
import { scanJson } from '../scan-json.js';
import { DOCUMENTS } from './documents.js';
import { lastTokenEnds, parserVerdict } from './oracles.js';

const containers = fc.oneof(fc.array(fc.jsonValue(), { maxLength: 6 }), fc.dictionary(fc.string(), fc.jsonValue()));
const documents = fc
  .tuple(containers, fc.constantFrom(0, 0, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('the JSON scanner', () => {
  it.each(DOCUMENTS)(
    '[3_MCP-TAS-072] takes every proper prefix of %s for cut off, at the token that the peer names',
    (document) => {
      expectPrefixesToBeCut(document);
      expect(scanJson(document)).toMatchObject({ status: 'complete', after: 'nothing' });
    },
  );

  it('[3_MCP-TAS-072] agrees with the peer on every prefix of any document', () => {
    fc.assert(fc.property(documents, expectPrefixesToBeCut), { seed: seed(), numRuns: rounds(40, 7_500) });
  });

  it('calls any whole document complete, with long or short strings', () => {
    const long = fc.string({ minLength: 20, maxLength: 80, unit: 'binary' });
    const value = fc.oneof(containers, fc.dictionary(long, long));
    fc.assert(
      fc.property(value, (whole) => {
        const document = JSON.stringify(whole);
        expect(scanJson(document)).toEqual({ status: 'complete', start: 0, end: document.length, after: 'nothing' });
        expect(detect(document)).toEqual({ partial: false });
      }),
      { seed: seed(), numRuns: rounds(80, 15_000) },
    );
  });

  it('says the same of a text in any chunks as of the whole', () => {
    const texts = fc.oneof(
      documents,
      prefixesOf(documents),
      damaged(documents),
      fc.string({ unit: 'binary' }),
      proseAround(documents),
    );
    const cuts = fc.array(fc.nat(40), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(texts, cuts, fc.constantFrom(undefined, 'max_tokens'), (text, sizes, stopReason) => {
        const scanner = new JsonScanner();
        for (const chunk of chunksOf(text, sizes)) scanner.write(chunk);
        expect(scanner.end({ stopReason })).toEqual(scanJson(text, { stopReason }));
      }),
      { seed: seed(), numRuns: rounds(300, 75_000) },
    );
  });

  it('[P4] gives the same result one character at a time', () => {
    for (const document of DOCUMENTS) {
      for (let length = 0; length <= document.length; length++) {
        const scanner = new JsonScanner();
        for (let index = 0; index < length; index++) scanner.write(document.charAt(index));
        expect(scanner.end()).toEqual(scanJson(document.slice(0, length)));
      }
    }
  });

  it('distinguishes cut off from malformed as V8 does, for documents with one character changed', () => {
    const texts = fc.oneof(damaged(documents), prefixesOf(damaged(documents)), damaged(fc.constantFrom(...DOCUMENTS)));
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(/^[ \n\r\t]*[[{]/.test(text)); // only where a container begins the answer
        const { status, ...scan } = scanJson(text);
        const hasTextAfter = 'after' in scan && scan.after === 'text';
        expect(hasTextAfter ? 'malformed' : status).toBe(parserVerdict(text));
      }),
      { seed: seed(), numRuns: rounds(500, 150_000) },
    );
  });

  it('continues from a fork as from the original, for any split of the text', () => {
    for (const document of DOCUMENTS) {
      for (let cut = 0; cut <= document.length; cut++) {
        const first = new JsonValueScanner();
        first.write(document.slice(0, cut));
        for (const second of [first.fork(), first]) {
          for (let end = cut; end < Math.min(document.length, cut + 7); end++) second.write(document.charAt(end));
        }
        const fork = first.fork();
        expect([fork.done, fork.broken, fork.length, fork.openEnd({ cutOff: true })]).toEqual([
          first.done,
          first.broken,
          first.length,
          first.openEnd({ cutOff: true }),
        ]);
      }
    }
  });

  it('reads the inside of a long string only where it matters', () => {
    const body = 'x'.repeat(5_000);
    const quick = new JsonScanner('structure');
    quick.write(`{"a":"${body}\u0001"}`);
    expect([quick.end().status, quick.skipped]).toEqual(['complete', true]);
    expect(scanJson(`{"a":"${body}\u0001"}`).status).toBe('malformed');
    expect(detect(`{"a":"${body}\u0001`)).toEqual({ partial: false });
    expect(detect(`{"a":"${body}\\q`)).toEqual({ partial: false });
    expect(detect(`{"a":"${body}\\n`)).toMatchObject({ partial: true, cutIn: 'string' });
  });

  it('comes to the same verdict on the quick way as with care', () => {
    const texts = fc.oneof(
      prefixesOf(documents),
      damaged(documents),
      damaged(fc.constantFrom(...DOCUMENTS)),
      proseAround(prefixesOf(documents)),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(undefined, 'length'), (text, stopReason) => {
        fc.pre(!/[\r\n]$/.test(text)); // which `detect` takes off where a string was cut
        const careful = scanJson(text, { stopReason });
        const isCut = careful.status === 'cut';
        const isMissing = careful.status === 'absent' && (careful.blank || stopReason !== undefined);
        expect(detect(text, { stopReason }).partial).toBe(isCut || isMissing);
      }),
      { seed: seed(), numRuns: rounds(300, 75_000) },
    );
  });

  it('keeps nothing but its nesting stack: a million open arrays are one number each', () => {
    const scanner = new JsonScanner();
    for (let chunk = 0; chunk < 1_000; chunk++) scanner.write('['.repeat(1_000));
    expect(scanner.end()).toMatchObject({ status: 'cut', lastTokenEnd: 1_000_000, cutIn: 'structure' });
  });
});

function expectPrefixesToBeCut(document: string): void {
  const start = document.search(/[[{]/);
  const end = document.trimEnd().length;
  const ends = lastTokenEnds(document);
  for (let length = start + 1; length < end; length++) {
    const scan = scanJson(document.slice(0, length));
    expect(scan, document.slice(0, length)).toMatchObject({ status: 'cut', start, lastTokenEnd: ends[length] });
  }
}

const prefixesOf = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));

const damaged = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.nat(), fc.constantFrom(...'{}[]",:\\ue01-+.tfn \n\u0000é', '')).map(([text, at, character]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + character + text.slice(index + 1);
  });

const proseAround = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom('Here: ', '```json\n', '\ufeff ', 'true story {x} ', '"quoted" words ', '``` \n'),
      texts,
      fc.constantFrom('', '\n```', ' bye'),
    )
    .map((parts) => parts.join(''));

function chunksOf(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  let from = 0;
  for (let turn = 0; from < text.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    chunks.push(text.slice(from, from + size));
    from += size;
  }
  return chunks;
}

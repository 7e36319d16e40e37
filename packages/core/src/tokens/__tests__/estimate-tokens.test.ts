import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { estimateTokens } from '../estimate-tokens.js';

describe('the estimate of tokens', () => {
  // Wide enough for other weights, too narrow for characters / 4.
  it.each([
    { kind: 'nothing', text: '', from: 0, to: 0 },
    { kind: 'prose', text: 'The quick brown fox jumps over the lazy dog.', from: 8, to: 12 },
    { kind: 'code', text: 'export function add(a: number, b: number) { return a + b; }', from: 14, to: 22 },
    { kind: 'JSON', text: '{"path":"src/a.ts","line":120,"ok":true}', from: 14, to: 22 },
    { kind: 'Japanese', text: '日本語のテキスト', from: 4, to: 8 },
    { kind: 'Russian', text: 'Быстрая лиса прыгает через собаку', from: 8, to: 13 },
  ])('is near the truth for $kind', ({ text, from, to }) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(from);
    expect(estimateTokens(text)).toBeLessThanOrEqual(to);
  });

  it('is a whole number that never falls when text is added, and is above 0 for any text', () => {
    const text = fc.string({ unit: 'binary' });

    fc.assert(
      fc.property(text, text, (first, second) => {
        const both = estimateTokens(first + second);
        expect(Number.isInteger(both)).toBe(true);
        expect(both).toBeGreaterThanOrEqual(estimateTokens(first));
        expect(both > 0).toBe(first + second !== '');
      }),
      { seed: seed(), numRuns: rounds(100) },
    );
  });
});

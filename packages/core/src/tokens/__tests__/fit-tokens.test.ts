import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { estimateTokens } from '../estimate-tokens.js';
import { fitTokens } from '../fit-tokens.js';

describe('fitting text into a budget', () => {
  it('leaves text that fits as it is', () => {
    const text = ' Two words, exactly. \n';

    expect(fitTokens(text, estimateTokens(text))).toBe(text);
  });

  it.each([
    {
      kind: 'a line',
      text: `first line of words\nsecond line of words\n${'third '.repeat(50)}`,
      budget: 15,
      kept: 'first line of words\nsecond line of words',
    },
    {
      kind: 'a sentence',
      text: `One is here. Two is here. ${'three '.repeat(50)}`,
      budget: 13,
      kept: 'One is here. Two is here.',
    },
    {
      kind: 'a Japanese sentence',
      text: `一つです。二つです。${'三'.repeat(50)}`,
      budget: 13,
      kept: '一つです。二つです。',
    },
    { kind: 'a word', text: 'word '.repeat(50), budget: 8, kept: 'word word word word' },
    { kind: 'a whole emoji', text: '🚀'.repeat(50), budget: 11, kept: '🚀🚀🚀🚀' },
  ])('cuts at the end of $kind and says so', ({ text, budget, kept }) => {
    expect(fitTokens(text, budget)).toBe(`${kept}\n[… shortened]`);
  });

  it.each([
    { budget: 4, text: '[… shortened]' },
    { budget: 3, text: '…' },
    { budget: 1, text: '…' },
    { budget: 0.5, text: '' },
    { budget: 0, text: '' },
    { budget: -1, text: '' },
    { budget: Number.NaN, text: '' },
  ])('gives $text where the budget of $budget has no room for the text', ({ budget, text }) => {
    expect(fitTokens('many words '.repeat(20), budget)).toBe(text);
  });

  it('never costs more than the budget, keeps only the beginning, and says that it did', () => {
    const words = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', '\n', '. ', '🚀')), {
      maxLength: 60,
    });

    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 50 }), (parts, budget) => {
        const text = parts.join('');
        const fitted = fitTokens(text, budget);
        expect(estimateTokens(fitted)).toBeLessThanOrEqual(budget);
        if (fitted === text) return;
        expect(text.startsWith(fitted.replace(/\n?(\[… shortened\]|…)$/, ''))).toBe(true);
        if (budget > 0) expect(fitted).toMatch(/(\[… shortened\]|…)$/);
      }),
      { seed: seed(), numRuns: rounds(200) },
    );
  });

  it('never ends in half of an emoji', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (emojis, budget) => {
        expect(() => encodeURIComponent(fitTokens('🚀'.repeat(emojis), budget))).not.toThrow();
      }),
      { seed: seed(), numRuns: rounds(200) },
    );
  });

  it('uses the budget up, also for a text of 1 MB', () => {
    const text = 'Some words that go on. '.repeat(45_000);

    expect(estimateTokens(fitTokens(text, 1_000))).toBeGreaterThan(950);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { cutAtEnd, cutInMiddle, cutShort, endsOf } from '../cut-text.js';

it.each([
  ['One thing. Another thing.', 20, 'One thing. […]'],
  ['short', 20, 'short'],
])('%j is cut at %d characters as %j', (text, most, cut) => {
  expect(cutAtEnd(text, most)).toBe(cut);
});

it('leaves out the middle between sentences', () => {
  const text = `Begin here. ${'Some words of a log. '.repeat(20)}And do this.`;
  expect(cutInMiddle(text, 60)).toBe('Begin here. Some words of a log.\n[…]\nAnd do this.');
});

it('keeps more of both ends the more room there is, and never half an emoji', () => {
  const words = fc.array(fc.constantFrom('a', 'word', '😀', ' ', '. ', '\n', '。'), { maxLength: 200 });
  fc.assert(
    fc.property(words, fc.nat(300), fc.nat(300), (parts, most, more) => {
      const text = parts.join('');
      for (const cut of [cutAtEnd(text, most), cutInMiddle(text, most), cutShort(text, most)]) {
        expect(cut).not.toMatch(/\p{Surrogate}/u);
      }
      expect(cutAtEnd(text, most).length).toBeLessThanOrEqual(most);
      const larger = cutInMiddle(text, most + more);
      for (const end of endsOf(text, most)) expect(larger).toContain(end);
    }),
    { numRuns: rounds(300), seed: seed() },
  );
});

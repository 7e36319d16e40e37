import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { redactText } from '../redact-text.js';
import { redactTexts } from '../redact-texts.js';
import { plantedSecrets } from './planted-secrets.js';

const PLAIN = ['the parser is done', 'src/parser.ts', 'user: bob', 'password:', '"', "'", 'x = "', '', '}'];

describe('redactTexts', () => {
  it('gives for each text what redactText gives for it alone, whatever stands beside it', () => {
    const random = createRandom(seed());
    const planted = plantedSecrets(random, rounds(4)).map(({ document }) => document);
    const texts = planted.flatMap((text, index) => [PLAIN[index % PLAIN.length] ?? '', text]);
    expect(redactTexts(texts)).toEqual(texts.map(redactText));
    for (const text of planted) {
      const among = [...PLAIN, text, ...PLAIN];
      expect(redactTexts(among)).toEqual(among.map(redactText));
    }
  });

  it('does so for any texts', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...PLAIN))), (texts) => {
        expect(redactTexts(texts)).toEqual(texts.map(redactText));
      }),
      { seed: seed(), numRuns: rounds(200) },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAKERS } from '../../testing/planted-secrets.js';
import { createRandom } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { safeText, safeTexts } from '../safe-text.js';

/** What secrets begin with, and what hides them. */
const BESIDE = [
  'password=',
  'token: "',
  "'",
  'https://me:',
  '@host',
  '--token ',
  'sha256:',
  'curl -u me:',
  'AKIA',
  '\n',
  ' ',
];
const KEY = `AKIA${'Q7R2TUVW'.repeat(2)}`;

describe('safe texts', () => {
  it.each([
    { what: 'none with a secret', texts: ['src/main.ts', 'parseOrder', 'Searched for `retry`: nothing found'] },
    { what: 'a secret among others', texts: ['src/main.ts', KEY, 'parseOrder', 'DB_PASSWORD=kX9qLw27bZ'] },
    { what: 'a quote that was cut off', texts: ['say: password="kX9qLw27bZ', 'src/main.ts', "api_key: 'kX9qLw27bZ"] },
    {
      what: 'a command that the next text would continue',
      texts: ['mysql shop \\', '-pkX9qLw27bZ', 'curl -u me:kX9qLw27bZ'],
    },
    { what: 'a key whose value would be the next text', texts: ['password:', 'kX9qLw27bZ', 'token =', 'src/main.ts'] },
    { what: 'colours of a terminal', texts: ['\u001b[31mred\u001b[0m', 'plain', `\u001b[1m${KEY}\u001b[0m`] },
  ])('are the same together as one by one: $what', ({ texts }) => {
    expect(safeTexts(texts)).toEqual(texts.map(safeText));
  });

  it('are the same together as one by one, in any order', () => {
    const secret = fc
      .tuple(fc.constantFrom(...Object.keys(MAKERS)), fc.integer())
      .map(([kind, start]) => MAKERS[kind]?.(createRandom(start)).text ?? '');
    const part = fc.oneof(secret, fc.constantFrom(...BESIDE), fc.string({ maxLength: 30 }));
    const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        expect(safeTexts(texts)).toEqual(texts.map(safeText));
      }),
      { numRuns: rounds(300), seed: seed() },
    );
  });

  it('hold no secret that one of them has', () => {
    expect(safeTexts(['src/main.ts', KEY]).join('\n')).not.toContain(KEY);
  });
});

import { describe, expect, it } from 'vitest';
import { safeText, safeTexts } from '../safe-text.js';

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

  it('hold no secret that one of them has', () => {
    expect(safeTexts(['src/main.ts', KEY]).join('\n')).not.toContain(KEY);
  });
});

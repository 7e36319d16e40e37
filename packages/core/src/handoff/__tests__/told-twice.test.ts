import { describe, expect, it } from 'vitest';
import type { HandoffDocument, HandoffItem } from '../document/handoff-document.js';
import { renderHandoff } from '../render/render-handoff.js';

const FROM = [{ line: 1 }];
const name = (text: string): HandoffItem => ({ form: 'name', text, from: FROM, worth: 0 });

/** The name is the first to be taken, as it is short; then there is room for the line that tells it, too. */
const document: HandoffDocument = {
  version: 1,
  conversation: { compactions: 0 },
  sections: [
    {
      id: 'facts',
      items: [
        name('src/cart/total.ts'),
        name('src/cart/price.ts'),
        {
          form: 'line',
          text: 'Searched in `src/cart/total.ts` for `roundHalfUp`: 3 lines found',
          from: FROM,
          worth: 1,
        },
      ],
    },
  ],
  names: { 'src/cart/total.ts': 5, 'src/cart/price.ts': 1, roundHalfUp: 1 },
};

describe('a handoff', () => {
  it('lists no name that one of its lines tells', () => {
    const text = renderHandoff(document, { chars: 4_000 });
    expect(text).toContain('Searched in `src/cart/total.ts`');
    expect(text).toContain('- Names that came up: `src/cart/price.ts`');
  });
});

import { describe, expect, it } from 'vitest';
import { namesIn, shapeOf } from '../names.js';

describe('names in a text', () => {
  it.each([
    ['see src/cart/add-up.ts.', ['src/cart/add-up.ts']],
    ['call addUpCart and snake_case_name', ['addUpCart', 'snake_case_name']],
    ['upgrade to 12.4.1 from v11.2.0', ['12.4.1', 'v11.2.0']],
    ['a well-known sentence about Nothing', []],
    ['it took 0.395s at 0x1003dff53 on 2026-01-23T17:00', []],
  ])('%s', (text, names) => {
    expect([...namesIn(text)]).toEqual(names);
  });

  it('knows paths, members and hashes by their shape', () => {
    expect(['src/a.ts', 'fmt.Printf', '9b6bd9ecf6', 'addUpCart'].map(shapeOf)).toEqual([
      'path',
      'member',
      'hash',
      'plain',
    ]);
  });
});

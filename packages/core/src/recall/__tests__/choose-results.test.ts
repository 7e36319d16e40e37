import { describe, expect, it } from 'vitest';
import { chooseResults } from '../choose-results.js';
import type { Passage } from '../passage.js';
import { parseRecallQuery } from '../search-words.js';

const output = (text: string, kind: Passage['kind'] = 'output', place = 'here') => ({
  passage: { kind, text, line: 1 },
  place,
});
const search = (typed: string, texts: readonly ReturnType<typeof output>[], limit = 10) =>
  chooseResults(texts, parseRecallQuery(typed), limit, (place) => place);

describe('the results of a search', () => {
  it('show the lines that contain the query', () => {
    const [result] = search('total', [output('first line\nconst totalOf = 3;\nlast line')]);
    expect(result?.excerpt).toBe('const totalOf = 3;');
  });

  it('say the same only once', () => {
    const same = Array.from({ length: 20 }, () => output('calculateTotal()'));
    const results = search('calculate', [...same, output('calculateTax()')]);
    expect(results.map(({ excerpt }) => excerpt)).toEqual(['calculateTotal()', 'calculateTax()']);
  });

  it('show every name first, then what else was said about them', () => {
    const results = search('total', [output('totalA is one'), output('totalA is two'), output('totalB is three')]);
    expect(results.map(({ excerpt }) => excerpt)).toEqual(['totalA is one', 'totalB is three', 'totalA is two']);
  });

  it('prefer a name that ends the path over one inside of it', () => {
    const results = search('cart', [output('src/cart/index.ts'), output('old/shop/cart')]);
    expect(results[0]?.excerpt).toBe('old/shop/cart');
  });

  it("prefer the user's words over an output", () => {
    const results = search('voucher', [output('voucherLog'), output('the voucher is wrong', 'request')], 1);
    expect(results[0]?.passage.kind).toBe('request');
  });

  it('prefer the newest conversation over more frequent names of an older one', () => {
    const older = ['taxRate is 7', 'taxRate again', 'taxRate once more'].map((text) => output(text, 'output', 'older'));
    const results = search('tax', [output('taxTable is new', 'output', 'newest'), ...older], 1);
    expect(results[0]?.excerpt).toBe('taxTable is new');
  });

  it('prefer a name with the whole word over a frequent name with a longer word', () => {
    const often = Array.from({ length: 10 }, () => output('sessionState'));
    const [result] = search('s', [...often, output('store s.Save here')], 1);
    expect(result?.excerpt).toContain('s.Save');
  });

  it('match words from their beginning only', () => {
    expect(search('test', [output('the latest contest')])).toEqual([]);
  });

  it('list the names whose lines have no room', () => {
    const text = Array.from({ length: 60 }, (_, index) => `func TestNumber${index}(t *testing.T) {`).join('\n');
    const [result] = search('Test', [output(text)]);
    expect(result?.excerpt.length).toBeLessThanOrEqual(600);
    expect(result?.also.length).toBeGreaterThan(5);
    expect(result?.also.every((name) => !result.excerpt.includes(`${name}(`))).toBe(true);
  });

  it('show the part of a long line that matters', () => {
    const [result] = search('needle', [output(`${'hay '.repeat(200)}needleInHay${' hay'.repeat(200)}`)]);
    expect(result?.excerpt).toContain('needleInHay');
    expect(result?.excerpt.length).toBeLessThan(250);
  });

  it('see one file in two of its paths', () => {
    const inFiles = [
      output('src/cart-total.ts:3: x'),
      output('/home/anna/shop/src/cart-total.ts-4-'),
      output('cart-tax.ts'),
    ];
    expect(search('cart', inFiles).at(-1)?.excerpt).toBe('/home/anna/shop/src/cart-total.ts-4-');
  });
});

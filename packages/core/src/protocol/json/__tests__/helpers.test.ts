import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../compact.js';
import { duplicateKey } from '../duplicate-key.js';
import { findRepetition } from '../find-repetition.js';
import { isRetoldFrom } from '../is-retold-from.js';
import { unwrapCompletion } from '../unwrap-completion.js';

describe('findRepetition', () => {
  it('finds every length at which the end of one text is the beginning of the next', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (text, next) => {
        const lengths = Array.from({ length: next.length + 1 }, (_, index) => next.length - index);
        expect(findRepetition(text, next).overlaps).toEqual(
          lengths.filter((length) => text.endsWith(next.slice(0, length))),
        );
      }),
    );
  });
});

describe('duplicateKey', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a":{"b":1,"c":{},"b":', 'b'],
    ['{"a":{"a":[{"a":1},{"a":2}]}}', undefined],
    ['{"a":"b","b":"a","c":["a","a"]}', undefined],
    ['{"a" :1,"b":"\\"a\\":","c', undefined],
  ])('in %s is %s', (text, expected) => {
    expect(duplicateKey(text)).toBe(expected);
  });
});

describe('isRetoldFrom', () => {
  it.each([
    ['{"a":1,', '{ "a" : 1 , "b": 2}', true],
    ['{"a":"x ', '{"a":"x y"}', true],
    ['{"a":"x ', '{"a":"xy"}', false],
    ['[1 ', '[12]', false],
    ['[1', '[12]', true],
    ['[1, ', '[1,2]', true],
    ['{"a":1', '{"b":1}', false],
    ['', '{"b":1}', true],
  ])('%s by %s: %s', (beginning, text, expected) => {
    expect(isRetoldFrom(beginning, text)).toBe(expected);
  });
});

describe('compact', () => {
  it('keeps everything but the white space between tokens', () => {
    expect(compact(' { "a b" : [ 1 ,\n"c  \\" d" ] , "open  ')).toBe('{"a b":[1,"c  \\" d"],"open  ');
  });
});

describe('unwrapCompletion', () => {
  it.each([
    ['1, 2]}', undefined],
    ['true, false,\n1]', undefined],
    ['```json\n1]\n```', '1]'],
    ['```\n1]', '1]'],
    ['Here is the rest:\n1]', '1]'],
    ['Sure thing!\nHere is the rest:\n\n```js\n1]\n```\n', '1]'],
    ['Here is "a":\n1]', undefined],
  ])('of %j is %j', (completion, expected) => {
    expect(unwrapCompletion(completion)).toBe(expected);
  });
});

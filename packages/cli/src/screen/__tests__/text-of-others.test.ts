import { describe, expect, it } from 'vitest';
import { cell, clip } from '../clip.js';
import { widthOf } from '../columns.js';
import { toJson } from '../to-json.js';
import { paragraphs } from '../wrap.js';

const EVIL = '\u001b[2Jgone\u009b31m\u202e\u0007\r\nnext\u2028line\u007f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

describe('text that others wrote', () => {
  it.each([
    ['clipped', clip(EVIL, 10)],
    ['in a cell', cell(EVIL, 60)],
    ['in paragraphs', paragraphs(EVIL, 20).join('')],
    ['as JSON', toJson({ [EVIL]: EVIL })],
  ])('is not obeyed: %s', (_how, text) => {
    expect(text).not.toMatch(OBEYED);
  });

  it('means the same as JSON', () => {
    expect(JSON.parse(toJson({ [EVIL]: [EVIL] }))).toEqual({ [EVIL]: [EVIL] });
  });
});

describe('clip', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly 10', 10, 'exactly 10'],
    ['a little longer', 10, 'a little…'],
    ['漢字漢字', 5, '漢字…'],
    ['any', 0, ''],
    ['any', Number.POSITIVE_INFINITY, 'any'],
  ])('shows %j in %d columns as %j', (text, columns, shown) => {
    expect(clip(text, columns)).toBe(shown);
  });

  it('takes no time for a long text', () => {
    expect(widthOf(clip('x'.repeat(10_000_000), 30))).toBe(30);
  });
});

it('a cell has exactly its columns', () => {
  expect([cell('漢', 4), cell('abcdef', 4), cell('', 2)]).toEqual(['漢  ', 'abc…', '  ']);
});

it('paragraphs keep their line breaks and indents', () => {
  expect(paragraphs('one\n\n\ttwo three four\n', 14)).toEqual(['one', '', '    two three', '    four']);
});

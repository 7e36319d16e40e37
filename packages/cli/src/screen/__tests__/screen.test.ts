import { describe, expect, it } from 'vitest';
import { widthOf } from '../columns.js';
import { excerpt, tail } from '../excerpt.js';
import { labelled } from '../labelled.js';
import { colourPalette, plainPalette } from '../palette.js';
import { describeScreen } from '../screen.js';
import { visible } from '../visible.js';
import { breakAnywhere, wrapWords } from '../wrap.js';

describe('visible', () => {
  it.each([
    ['a\nb\r\nc', 'a↵b↵c'],
    ['\u001b[31mred\u0007', '␛[31mred␇'],
    ['\u202eevil\u009b2J', '<U+202E>evil\ufffd2J'],
    ['half \ud83d', 'half \ufffd'],
    ['日本 🚀 é', '日本 🚀 é'],
  ])('shows %j as one line that no terminal obeys', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

describe('excerpt', () => {
  it('keeps a text that fits', () => {
    expect(excerpt('0123456789', 10)).toBe('0123456789');
  });

  it('keeps beginning and end of a longer one', () => {
    expect(excerpt('abcdefghijklmnopqrstuvwxyz', 13)).toBe('abc … tuvwxyz');
  });

  it.each([['漢字'.repeat(50)], ['🚀'.repeat(50)], ['x\n'.repeat(1e6)]])(
    'never takes more columns than it may',
    (text) => {
      expect(widthOf(excerpt(text, 21))).toBeLessThanOrEqual(21);
      expect(widthOf(tail(text, 21))).toBeLessThanOrEqual(21);
    },
  );

  it('shows an end as an end', () => {
    expect(tail('abcdef', 4)).toBe('…def');
    expect(tail('abc', 4)).toBe('abc');
  });
});

describe('lines', () => {
  it('break between words, and inside a word that is too long', () => {
    expect(wrapWords('one two three abcdefghij', 8)).toEqual(['one two', 'three', 'abcdefgh', 'ij']);
  });

  it('of data break anywhere and lose nothing', () => {
    expect(breakAnywhere('a b漢c d', 3)).toEqual(['a b', '漢c', ' d']);
  });

  it('stand beside their label', () => {
    expect(labelled('model', ['one', 'two'], (text) => text)).toEqual(['  model      one', '             two']);
  });
});

describe('a screen', () => {
  it.each([
    { stream: {}, env: {}, columns: 80, palette: plainPalette },
    { stream: { isTTY: true, columns: 90 }, env: {}, columns: 90, palette: colourPalette },
    { stream: { isTTY: true, columns: 300 }, env: { NO_COLOR: '1' }, columns: 100, palette: plainPalette },
    { stream: { isTTY: true, columns: 10 }, env: { TERM: 'dumb' }, columns: 40, palette: plainPalette },
    { stream: { isTTY: true, columns: 0 }, env: { NO_COLOR: '' }, columns: 80, palette: colourPalette },
  ])('of $stream with $env has $columns columns', ({ stream, env, columns, palette }) => {
    expect(describeScreen(stream, env)).toEqual({ columns, palette });
  });

  it('has colours that end where they began', () => {
    expect(colourPalette.good('ok')).toBe('\u001b[32mok\u001b[39m');
  });
});

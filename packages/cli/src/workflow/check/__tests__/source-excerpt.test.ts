import { describe, expect, it } from 'vitest';
import { widthOf } from '../../../screen/columns.js';
import { sourceExcerpt } from '../render-check.js';

const withCaret = (line: string, column: number, columns: number) => {
  const { text, indent } = sourceExcerpt(line, column, columns);
  return [text, `${' '.repeat(indent)}^`];
};

const DIGITS = '0123456789'.repeat(5);

describe('a line of a file with a caret', () => {
  it.each([
    { line: 'agent: codr', column: 8, shown: ['agent: codr', '       ^'] },
    { line: '', column: 1, shown: ['', '^'] },
    { line: 'at the end', column: 11, shown: ['at the end', '          ^'] },
    { line: 'behind it', column: 99, shown: ['behind it', '         ^'] },
    { line: '\ttabbed', column: 2, shown: ['    tabbed', '    ^'] },
    { line: '漢字: x', column: 5, shown: ['漢字: x', '      ^'] },
    { line: '😀 x', column: 4, shown: ['😀 x', '   ^'] },
    { line: 'e\u0301 x', column: 4, shown: ['e\u0301 x', '  ^'] },
    { line: 'a\u001b[31mb', column: 7, shown: ['a␛[31mb', '      ^'] },
    { line: DIGITS, column: 1, shown: ['0123456789012345678…', '^'] },
    { line: DIGITS, column: 10, shown: ['0123456789012345678…', '         ^'] },
    { line: DIGITS, column: 26, shown: ['…456789012345678901…', '            ^'] },
    { line: DIGITS, column: 49, shown: ['…7890123456789', '            ^'] },
    { line: '漢'.repeat(50), column: 30, shown: [`…${'漢'.repeat(5)}${'漢'.repeat(4)}…`, '           ^'] },
  ])('shows column $column of $line', ({ line, column, shown }) => {
    expect(withCaret(line, column, 20)).toEqual(shown);
  });

  it('fits and takes no time, however long the line is', () => {
    const line = 'x'.repeat(1_000_000);

    for (const column of [1, 500_000, 1_000_000])
      expect(widthOf(sourceExcerpt(line, column, 70).text)).toBeLessThan(71);
  });
});

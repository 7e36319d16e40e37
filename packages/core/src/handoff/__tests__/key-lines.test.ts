import { describe, expect, it } from 'vitest';
import { createRandom } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { keyLines } from '../key-lines.js';

describe('the key lines of an output', () => {
  it.each([
    ['the last ones, where none says how it ended', 'one\ntwo\n\n-----\nthree\n', 'two\nthree'],
    ['all, where there are few', '\n\n  one  \n', 'one'],
    ['none, where nothing is said', '\n----\n\n', ''],
    ['its verdict', 'a\n3 passed, 1 skipped\nb', 'a\n3 passed, 1 skipped'],
    ['what failed', 'a\nerror: no such file\nb\nc', 'error: no such file'],
  ])('are %s', (_, output, told) => {
    expect(keyLines(output, 2)).toBe(told);
  });

  it('are the last that hold more than lines and dots, in any output that says nothing of its end', () => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(200); round++) {
      const lines = Array.from({ length: random.below(8) }, () =>
        random.pick(['', '  ', 'a', ' b c ', '---', '+|+', 'd']),
      );
      const told = lines.map((line) => line.trim()).filter((line) => /[a-z]/.test(line));
      const most = 1 + random.below(3);
      expect(keyLines(lines.join('\n'), most)).toBe(told.slice(-most).join('\n'));
    }
  });
});

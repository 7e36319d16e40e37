import { expect, it } from 'vitest';
import { createLineSplitter } from '../stdio/split-lines.js';

const split = (chunks: readonly Buffer[], limitBytes = 1_000) => {
  const splitter = createLineSplitter({ limitBytes });
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
};

it('finds the same lines for any split of the bytes', () => {
  const bytes = Buffer.from('eins\n\nzwölf 🙂\nrest');
  const lines = [{ text: 'eins' }, { text: '' }, { text: 'zwölf 🙂' }, { text: 'rest' }];
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      expect(split(chunks)).toEqual(lines);
    }
  }
});

it('discards a line that is too long, and finds the next', () => {
  const chunks = ['12345', '67', '8\nnext\n12345', '67', '89'].map((text) => Buffer.from(text));
  expect(split(chunks, 6)).toEqual([{ tooLong: true }, { text: 'next' }, { tooLong: true }]);
});

it('takes a line of just the limit', () => {
  expect(split([Buffer.from('123456\n')], 6)).toEqual([{ text: '123456' }]);
});

import { expect, it } from 'vitest';
import { capturedOutput } from '../captured-output.js';
import { OUTPUT_BUFFER_SIZE } from '../constants.js';

const line = (length: number) => `${'x'.repeat(length - 1)}\n`;

it.each([
  ['all of a short output', 'one\ntwo', 'one\ntwo'],
  ['all of an output that just fits', line(OUTPUT_BUFFER_SIZE), line(OUTPUT_BUFFER_SIZE)],
  ['the last lines that fit', `old\n${line(OUTPUT_BUFFER_SIZE)}`, line(OUTPUT_BUFFER_SIZE)],
  ['whole lines only', `${line(9)}${line(OUTPUT_BUFFER_SIZE - 4)}`, line(OUTPUT_BUFFER_SIZE - 4)],
  ['the end of an endless line', 'y'.repeat(2 * OUTPUT_BUFFER_SIZE), 'y'.repeat(OUTPUT_BUFFER_SIZE)],
  ['no half of an emoji', `😀${'y'.repeat(OUTPUT_BUFFER_SIZE - 1)}`, 'y'.repeat(OUTPUT_BUFFER_SIZE - 1)],
])('keeps %s', (_, printed, kept) => {
  expect(OUTPUT_BUFFER_SIZE).toBe(32_768);
  expect(capturedOutput(printed)).toBe(kept);
});

import { describe, expect, it } from 'vitest';
import { percent } from '../numbers.js';
import { tellingLine } from '../telling-line.js';
import { exactTime } from '../time.js';

describe('the words of the page', () => {
  it.each([
    ['## TASK\n\nrun-1: Add a cart\n', 'run-1: Add a cart'],
    ['# Only a heading', '# Only a heading'],
    ['#hash is no heading', '#hash is no heading'],
    [' \n ', ''],
  ])('take the line of %j that says something', (text, line) => {
    expect(tellingLine(text)).toBe(line);
  });

  it.each([
    [0, '0 %'],
    [0.0005, '0.05 %'],
    [0.5, '50 %'],
  ])('call a share of %d %s', (share, words) => {
    expect(percent(share)).toBe(words);
  });

  it('tell moments of one minute apart', () => {
    expect(exactTime(1_000)).not.toBe(exactTime(2_000));
  });
});

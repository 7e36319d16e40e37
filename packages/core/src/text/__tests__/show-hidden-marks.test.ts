import { describe, expect, it } from 'vitest';
import { showHiddenMarks } from '../show-hidden-marks.js';

describe('invisible marks', () => {
  it.each([
    ['rm \u202etxt.olleh', 'rm <U+202E>txt.olleh'],
    ['\u2066a\u2069\u200f\u061c', '<U+2066>a<U+2069><U+200F><U+061C>'],
    ['pass\u200bword', 'pass<U+200B>word'],
    ['go\u{e0041}', 'go<U+E0041>'],
    ['👩\u200d💻 شما \u05d0', '👩\u200d💻 شما \u05d0'],
  ])('are shown in %j', (text, shown) => expect(showHiddenMarks(text)).toBe(shown));
});

import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createOutputFilter } from '../output-filter.js';

const PIECES = [
  'plain text\r\n',
  'Grüße, 世界 🚀',
  '\u001b[31mred\u001b[0m',
  '\u001b[?2004h',
  '\u001b[?1049h\u001b[?1006;1002h',
  '\u001b]0;a title\u0007',
  '\u001b]2;✳ Claude Code\u001b\\',
  '\u001b]8;;https://example.org\u0007link\u001b]8;;\u0007',
  '\u001bPq#0;2;0;0;0\u001b\\',
  '\u001b(B\u001b7\u001b8\u001b=',
  `\u001b_G${'x'.repeat(9_000)}\u001b\\`,
  '\u001b\u001b[2J',
  '\u001b[12',
  '\u0018',
];

/** Cut anywhere, as a terminal gets it. */
function cut(bytes: Buffer, random: ReturnType<typeof createRandom>): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = Math.min(bytes.length, at + 1 + random.below(random.chance(0.3) ? 4_000 : 5));
    parts.push(bytes.subarray(at, next));
    at = next;
  }
  return parts;
}

describe('what an agent prints', () => {
  it('arrives byte for byte, however it is cut', () => {
    for (let round = 0; round < rounds(200); round++) {
      const random = createRandom(seed() + round);
      const bytes = Buffer.from(Array.from({ length: 12 }, () => random.pick(PIECES)).join(''));
      const filter = createOutputFilter();
      const printed = cut(bytes, random).map((part) => filter.push(part));
      expect(Buffer.concat([...printed, filter.rest()]).equals(bytes)).toBe(true);
    }
  });

  it('has a word of ours behind its title, however it is cut, and nothing else changed', () => {
    for (let round = 0; round < rounds(100); round++) {
      const random = createRandom(seed() + round);
      const filter = createOutputFilter((title) => (title === '' ? '' : `${title} · 52%`));
      const bytes = Buffer.from('a\u001b]0;✳ Claude\u0007b\u001b]2;x\u001b\\c\u001b]0;\u0007\u001b]1;icon\u0007d');
      const printed = cut(bytes, random).map((part) => filter.push(part));
      expect(Buffer.concat(printed).toString()).toBe(
        'a\u001b]0;✳ Claude · 52%\u0007b\u001b]2;x · 52%\u001b\\c\u001b]0;\u0007\u001b]1;icon\u0007d',
      );
      expect(filter.title).toBe('');
    }
  });

  it('is never interrupted in a character, a sequence or a picture', () => {
    const filter = createOutputFilter();
    expect(filter.push(Buffer.from('aé').subarray(0, 2)).toString()).toBe('a');
    expect(filter.push(Buffer.from('é').subarray(1)).toString()).toBe('é');
    expect(filter.push(Buffer.from('x\u001b[3')).toString()).toBe('x');
    expect(filter.push(Buffer.from('1my')).toString()).toBe('\u001b[31my');
    expect(filter.push(Buffer.from(`\u001b_G${'x'.repeat(9_000)}`))).toHaveLength(9_003);
    expect(filter.isBetween).toBe(false);
    expect(filter.push(Buffer.from('x\u001b\\y')).toString()).toBe('x\u001b\\y');
    expect(filter.isBetween).toBe(true);
  });
});

describe('a terminal', () => {
  const modesAfter = (text: string) => {
    const filter = createOutputFilter();
    filter.push(Buffer.from(text));
    return filter.modes;
  };

  it.each([
    { printed: '', restoring: '\u001b[0m' },
    { printed: '\u001b[?2004h\u001b[?2004l', restoring: '\u001b[0m' },
    { printed: '\u001b[?25l\u001b[?1049h', restoring: '\u001b[?25h\u001b[0m\u001b[?1049l' },
    { printed: '\u001b[>1u\u001b[>3u\u001b[<u', restoring: '\u001b[<1u\u001b[0m' },
    { printed: '\u001b[>4;2m\u001b[5 q', restoring: '\u001b[>4;0m\u001b[0 q\u001b[0m' },
    { printed: '\u001b[3;10r', restoring: '\u001b7\u001b[r\u001b8\u001b[0m' },
    { printed: '\u001b[?1000;1006h\u001bc', restoring: '\u001b[0m' },
  ])('in which $printed was printed is put back', ({ printed, restoring }) => {
    expect(modesAfter(printed).restoring()).toBe(restoring);
  });

  it('that takes up another one gets the modes that its screen does not know', () => {
    const all = modesAfter('\u001b[?1049h\u001b[?1002h\u001b[?1006h\u001b[>1u\u001b[?2004h');
    const known = modesAfter('\u001b[?1049h\u001b[?1002h\u001b[?2004h');
    expect(all.applying(known)).toBe('\u001b[?1006h\u001b[>1u');
  });

  it('known only by its screen gets the common mouse protocol', () => {
    expect(modesAfter('').applying(modesAfter('\u001b[?1002h'))).toBe('\u001b[?1006h');
  });
});

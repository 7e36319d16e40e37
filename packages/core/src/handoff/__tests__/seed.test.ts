import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { buildContextRefreshPrompt, generateSyntheticContextHandoff } from '../seed/context-refresh-prompt.js';
import { parseHandoffFromOutput } from '../seed/parse-handoff-from-output.js';

const parse = (output: string, columns?: number) =>
  parseHandoffFromOutput(output, { isComplete: true, ...(columns === undefined ? {} : { columns }) });

describe('a handoff on the screen of an agent', () => {
  it.each([
    ['nothing here', undefined],
    ['## HANDOFF\n', undefined],
    ['## HANDOFF\nold\n## HANDOFF\nnew', 'new'],
    ['## HANDOFF\nGoal\n## Files\n- a.ts\n### More\n- b.ts', 'Goal\n## Files\n- a.ts\n### More\n- b.ts'],
    ['\u001b[1m## HANDOFF\u001b[22m\r\n\u001b[32mdone\u001b[0m\r\n', 'done'],
    ['\u001b(B## HANDOFF\n\u001b]0;title\u0007text\u0008', 'text'],
    ['╭──────────────╮\n│ ## HANDOFF   │\n│ in a box     │\n╰──────────────╯', 'in a box'],
    ['⏺ ## HANDOFF\n\n  Goal\n  - one\n    - two', 'Goal\n- one\n  - two'],
    ['## HANDOFF\nreal\n✻ Thinking… (3s)\n❯ ', 'real'],
    ['## HANDOFF\nreal\n✻ Cooked for 3s · done 6:44 PM\n────────\n❯ draft\n────────\n  ? for shortcuts', 'real'],
  ])('%j [H3]', (screen, handoff) => {
    expect(parse(screen)).toBe(handoff);
  });

  it('is none while it is still being written [H3]', () => {
    expect(parseHandoffFromOutput('## HANDOFF\nHalf a sen', { isComplete: false })).toBeUndefined();
  });

  it('has whole lines again where the terminal broke them [H3]', () => {
    const screen = [
      '## HANDOFF',
      'The totals are wrong when a voucher is',
      'used twice in one order.',
      '- `src/cart/add-up.ts` subtracts it in',
      '  both places',
      '- next: the invoice',
      '```',
      'a line of code that is very long indeed',
      'and the next',
      '```',
    ];
    const whole = [
      'The totals are wrong when a voucher is used twice in one order.',
      '- `src/cart/add-up.ts` subtracts it in both places',
      '- next: the invoice',
      '```',
      'a line of code that is very long indeed',
      'and the next',
      '```',
    ].join('\n');
    expect(parse(screen.join('\n'), 40)).toBe(whole);
    expect(parse(screen.join('\n'))).toBe(whole);
  });

  it('does not join short lines that were written as such', () => {
    const lines = 'Branch: main\nTests: 3965 passing\nnothing is pushed';
    expect(parse(`## HANDOFF\n${lines}`, 80)).toBe(lines);
    expect(parse(`## HANDOFF\n${lines}`)).toBe(lines);
  });

  it('is the same paragraph at any width at which words fit [H3]', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    const paragraph = fc.array(word, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(paragraph, fc.integer({ min: 40, max: 120 }), (words, columns) => {
        expect(parse(`## HANDOFF\n${wrap(words, columns)}`, columns)).toBe(words.join(' '));
      }),
      { numRuns: rounds(100), seed: seed() },
    );
  });

  it('never throws, for any screen', () => {
    const pieces = [
      '\u001b[',
      '\u001b]0;',
      '\u0007',
      '\r',
      '\n',
      '│',
      '────',
      '❯',
      '✻ x…',
      '```',
      '## HANDOFF',
      '漢',
      ' ',
    ];
    const noisy = fc.array(fc.oneof(fc.string(), fc.constantFrom(...pieces))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(noisy, fc.option(fc.nat(200), { nil: undefined }), (noise, columns) => {
        const handoff = parse(`${noise}\n## HANDOFF\nkept\n${noise}`, columns);
        expect(handoff === undefined || typeof handoff === 'string').toBe(true);
      }),
      { numRuns: rounds(100), seed: seed() },
    );
  });
});

/** As a terminal of this width shows a paragraph. */
function wrap(words: readonly string[], columns: number): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && line.length <= columns - 1) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.join('\n');
}

describe('the prompt of a fresh agent', () => {
  it('keeps the original prompt and only the latest handoff [H4]', () => {
    const prompt = buildContextRefreshPrompt('Second', { basePrompt: 'Be kind.' });
    expect(prompt).toMatch(/^Be kind\.\n\n/);
    expect(prompt).toContain('```\nSecond\n```');
  });

  it('quotes the end of the output where there is no handoff', () => {
    expect(generateSyntheticContextHandoff('one\ntwo\nthree', { maxChars: 10 })).toContain('```\ntwo\nthree\n```');
  });
});

import { describe, expect, it } from 'vitest';
import { buildContextRefreshPrompt, generateSyntheticContextHandoff } from '../seed/context-refresh-prompt.js';
import { parseHandoffFromOutput } from '../seed/parse-handoff-from-output.js';

const parse = (output: string) => parseHandoffFromOutput(output, { isComplete: true });

describe('a handoff on the screen of an agent', () => {
  it.each([
    ['nothing here', undefined],
    ['## HANDOFF\n', undefined],
    ['## HANDOFF\nold\n## HANDOFF\nnew', 'new'],
    ['## HANDOFF\nGoal\n## Files\n- a.ts\n### More\n- b.ts', 'Goal\n## Files\n- a.ts\n### More\n- b.ts'],
    ['\u001b[1m## HANDOFF\u001b[22m\r\n\u001b[32mdone\u001b[0m\r\n', 'done'],
    ['│ ## HANDOFF   │\n│ in a box     │', 'in a box'],
    ['## HANDOFF\nreal\n✻ Thinking… (3s)\n❯ ', 'real'],
  ])('%j [H3]', (screen, handoff) => {
    expect(parse(screen)).toBe(handoff);
  });

  it('is none while it is still being written [H3]', () => {
    expect(parseHandoffFromOutput('## HANDOFF\nHalf a sen', { isComplete: false })).toBeUndefined();
  });
});

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

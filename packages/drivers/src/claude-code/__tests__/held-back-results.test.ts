import type { ConversationEvent } from '@devs/core';
import { createRandom, rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINES } from '../../reading/__tests__/some-lines.js';
import { createClaudeCodeParser } from '../create-claude-code-parser.js';
import { holdBackResult } from '../hold-back-result.js';
import { result, user } from './lines.js';

const at = { line: 1, byteOffset: 0 };

/** The facts of a line, read as bytes and read as text. */
function readBothWays(line: string | Buffer) {
  const bytes = Buffer.from(line as string);
  const [fromBytes, fromText] = [createClaudeCodeParser(), createClaudeCodeParser()];
  return {
    bytes: fromBytes.parseBytes?.(bytes, at).map(withText),
    text: fromText.parseLine(bytes.toString('utf8'), at).map(withText),
    tallies: [fromBytes.tally(), fromText.tally()],
  };
}

const withText = (event: ConversationEvent) => {
  const { textBytes: _, ...rest } = { textBytes: undefined, ...event };
  return rest;
};

const held = (line: string) => {
  const bytes = Buffer.from(line);
  return holdBackResult(bytes, bytes.toString('latin1', 0, 1_024));
};

describe('the text of a long result', () => {
  const long = 'const total = addUp("cart\\n", `ü🛒`);\n'.repeat(30);

  it('is read on demand, and equals the transcript', () => {
    const line = JSON.stringify({ ...user([result(long)]), toolUseResult: { stdout: long }, cwd: '/köln' });
    expect(held(line)?.text()).toBe(long);
    expect(held(line)?.record).toEqual({ ...user([result('')]), cwd: '/köln' });
    expect(readBothWays(line)).toMatchObject({ bytes: readBothWays(line).text });
  });

  it.each([
    ['is short', user([result('ok')])],
    ['tells an error', user([result(long, { is_error: true })])],
    ['begins with an exit code', user([result(`Exit code 2\n${long}`)])],
    ['is one of several', user([result(long), result(long)])],
    ['is in parts', user([result([{ type: 'text', text: long }])])],
    ['is not in a line of the user', { ...user([result(long)]), type: 'assistant' }],
    ['is quoted in what the user said', user(JSON.stringify(user([result(long)])))],
  ])('is read at once where it %s', (_, line) => {
    expect(held(JSON.stringify(line))).toBeUndefined();
  });

  it('makes no difference to the facts of a line', () => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(600, 150_000); round++) {
      const both = readBothWays(LINES.claude?.(random) ?? '');
      expect(both.bytes).toEqual(both.text);
      expect(both.tallies[0]).toEqual(both.tallies[1]);
    }
  });

  it('makes no difference to results of any text and with anything beside them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.json(), fc.boolean(), (text, beside, isLast) => {
        const content = `${text}"\\\\${text}`.repeat(20);
        const repeated = { toolUseResult: { content, beside: JSON.parse(beside) as unknown } };
        const line = isLast
          ? { ...user([result(content)]), uuid: text, ...repeated }
          : { ...repeated, ...user([result(content)]), beside: { toolUseResult: {}, text } };
        const both = readBothWays(JSON.stringify(line));
        expect(both.bytes).toEqual(both.text);
      }),
      { numRuns: rounds(300), seed: seed() },
    );
  });
});

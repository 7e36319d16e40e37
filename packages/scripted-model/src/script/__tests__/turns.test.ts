import { describe, expect, it } from 'vitest';
import { parseDirectives } from '../parse-directives.js';
import { turnAt } from '../turns.js';

const turn = (prompt: string, results: number, answered = false) => {
  const parsed = parseDirectives(prompt);
  if (parsed.kind === 'mistake') throw new Error(parsed.message);
  const found = turnAt(parsed.steps, { results, answered });
  return (
    found && { text: found.text, calls: found.calls.map((call) => (call.kind === 'run' ? call.command : call.name)) }
  );
};

describe('the turn of a script', () => {
  const script = '@model say a\n@model tool A\n@model and tool B\n@model say c\n@model tool C\n@model say end';

  it.each([
    [0, { text: 'a', calls: ['A', 'B'] }],
    [2, { text: 'c', calls: ['C'] }],
    [3, { text: 'end', calls: [] }],
  ])('after %i results is the turn that waits for them', (results, expected) => {
    expect(turn(script, results)).toEqual(expected);
  });

  it('is none when the model has had its last word', () => {
    expect(turn(script, 3, true)).toBeUndefined();
  });

  it('ends a script that ends with a tool', () => {
    expect(turn('@model tool A', 1)).toEqual({ text: '', calls: [] });
  });

  it('is numbered where it is repeated', () => {
    expect(turn('@model repeat 3 run "echo {{n}}"', 2)).toEqual({ text: '', calls: ['echo 3'] });
    expect(turn('@model repeat 3 say "{{n}}"', 0)).toEqual({ text: '1\n2\n3', calls: [] });
  });

  it('is found among thousands', () => {
    expect(turn('@model repeat 50000 run "{{n}}"', 49_999)).toEqual({ text: '', calls: ['50000'] });
  });

  it('costs what the last usage before it says', () => {
    const parsed = parseDirectives('@model usage input=5 output=1\n@model tool A\n@model usage input=6\n@model say x');
    const usages = [0, 1].map(
      (results) => parsed.kind === 'script' && turnAt(parsed.steps, { results, answered: false })?.usage,
    );
    expect(usages).toEqual([
      { input: 5, output: 1 },
      { input: 6, output: 1 },
    ]);
  });
});

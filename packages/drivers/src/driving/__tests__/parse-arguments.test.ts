import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArgumentSyntax, lastValue, parseArguments, tokensOf } from '../parse-arguments.js';

const SYNTAX: ArgumentSyntax = {
  '--model': 'one',
  '-m': 'one',
  '--resume': 'maybe',
  '--add-dir': 'many',
  '-c': 'none',
};
const read = (...args: string[]) =>
  parseArguments(args, SYNTAX).map((part) =>
    part.kind === 'option' ? [part.name, ...part.values] : part.kind === 'word' ? part.text : '--',
  );

describe('a command line', () => {
  it.each([
    { args: ['fix the bug'], parts: ['fix the bug'] },
    { args: ['--model', 'opus', 'fix'], parts: [['--model', 'opus'], 'fix'] },
    { args: ['--model=opus', 'fix'], parts: [['--model', 'opus'], 'fix'] },
    { args: ['-mopus', 'fix'], parts: [['-m', 'opus'], 'fix'] },
    { args: ['-c', 'fix'], parts: [['-c'], 'fix'] },
    { args: ['--resume'], parts: [['--resume']] },
    { args: ['--resume', 'abc', 'fix'], parts: [['--resume', 'abc'], 'fix'] },
    { args: ['--resume', '-c'], parts: [['--resume'], ['-c']] },
    { args: ['--add-dir', 'a', 'b', '-c'], parts: [['--add-dir', 'a', 'b'], ['-c']] },
    { args: ['--add-dir', 'a', '--', '--not-an-option'], parts: [['--add-dir', 'a'], '--', '--not-an-option'] },
    { args: ['--new-option', 'its value', 'fix'], parts: [['--new-option', 'its value'], 'fix'] },
    { args: ['--model', '--looks-like-one'], parts: [['--model', '--looks-like-one']] },
    { args: ['-'], parts: ['-'] },
    { args: ['--settings={"a":"b=c"}'], parts: [['--settings', '{"a":"b=c"}']] },
    { args: ['line one\nline two'], parts: ['line one\nline two'] },
  ])('is taken apart: $args', ({ args, parts }) => {
    expect(read(...args)).toEqual(parts);
  });

  it('takes the last of several values', () => {
    expect(lastValue(parseArguments(['--model', 'a', '-m', 'b'], SYNTAX), '--model', '-m')).toBe('b');
  });

  it('loses no word', () => {
    const word = fc.oneof(
      fc.constantFrom(
        '--',
        '-',
        '-c',
        '--model',
        '--model=x',
        '--resume',
        '--add-dir',
        '-mx',
        '--unknown',
        '--=',
        '-=',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(word), (args) => {
        expect(tokensOf(parseArguments(args, SYNTAX))).toEqual(args);
      }),
      { numRuns: rounds(300), seed: seed() },
    );
  });
});

import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePatch } from '../parse-patch.js';

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

describe('a patch of apply_patch', () => {
  it('adds, deletes and updates files', () => {
    expect(
      parsePatch(
        patch(
          '*** Add File: new.ts',
          '+one',
          '+',
          '*** Delete File: old.ts',
          '*** Update File: a b.ts',
          '@@ class A',
          ' x',
          '-y',
          '+z',
        ),
      ),
    ).toEqual([
      { path: 'new.ts', how: 'written', content: 'one\n\n' },
      { path: 'old.ts', how: 'deleted' },
      { path: 'a b.ts', how: 'edited', edits: [{ before: 'x\ny\n', after: 'x\nz\n' }] },
    ]);
  });

  it('has one edit for each place in a file', () => {
    expect(parsePatch(patch('*** Update File: a', '@@', '-1', '+2', '@@', ' 5', '+6', '*** End of File'))).toEqual([
      {
        path: 'a',
        how: 'edited',
        edits: [
          { before: '1\n', after: '2\n' },
          { before: '5\n', after: '5\n6\n' },
        ],
      },
    ]);
  });

  it('may only move a file', () => {
    expect(parsePatch(patch('*** Update File: a', '*** Move to: b'))).toEqual([
      { path: 'a', how: 'edited', movedTo: 'b', edits: [] },
    ]);
  });

  it('yields its content when it was cut off', () => {
    expect(parsePatch('*** Begin Patch\n*** Add File: a\n+on')).toEqual([
      { path: 'a', how: 'written', content: 'on\n' },
    ]);
  });

  it.each(['', 'no patch', '*** Begin Patch', '*** Update File: '])('is none in %j', (text) => {
    expect(parsePatch(text)).toEqual([]);
  });

  it('brings every file that was added back as it was written', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9/._-]{0,20}$/);
    const content = fc.array(fc.stringMatching(/^[ -~]{0,30}$/), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, content)), (files) => {
        const lines = files.flatMap(([path, body]) => [`*** Add File: ${path}`, ...body.map((text) => `+${text}`)]);
        expect(parsePatch(patch(...lines))).toEqual(
          files.map(([path, body]) => ({ path, how: 'written', content: body.map((text) => `${text}\n`).join('') })),
        );
      }),
      { numRuns: rounds(200), seed: seed() },
    );
  });
});

import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionsInCommand } from '../actions-in-command.js';
import { splitCommand } from '../split-command.js';

const read = (path: string, first?: number, last?: number) => ({
  kind: 'read',
  path,
  ...(first === undefined || last === undefined ? {} : { lines: { first, last } }),
});

describe('the files that a command reads', () => {
  it.each([
    ['cat a.ts b.ts', [read('a.ts'), read('b.ts')]],
    [`cat 'with space.md'`, [read('with space.md')]],
    ['sed -n 10,20p a.ts', [read('a.ts', 10, 20)]],
    [`sed -n '7p' a.ts`, [read('a.ts', 7, 7)]],
    [`nl -ba a.ts | sed -n '10,20p'`, [read('a.ts', 10, 20)]],
    ['head -n 5 a.ts', [read('a.ts', 1, 5)]],
    ['head -40 a.ts', [read('a.ts', 1, 40)]],
    ['tail -n 20 a.log', [read('a.log')]],
    ['cd sub && cat a.ts', [read('sub/a.ts')]],
    ['rg -n "a|b" src', [{ kind: 'search', pattern: 'a|b', path: 'src' }]],
    ['grep -rn todo', [{ kind: 'search', pattern: 'todo' }]],
    ['cat a.ts 2>/dev/null; ls', [read('a.ts')]],
    ['npm test', []],
    [`sed -i 's/a/b/' a.ts`, []],
    ['cat > a.ts <<EOF\nx\nEOF', []],
    ['cat $(ls)', []],
    ['for f in *; do cat "$f"; done', []],
    [`cat 'unclosed`, []],
  ])('%s', (command, actions) => {
    expect(actionsInCommand(command)).toEqual(actions);
  });

  it('finds single-quoted words again as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^']{0,12}$/), { minLength: 1, maxLength: 8 }), (words) => {
        expect(splitCommand(words.map((word) => `'${word}'`).join(' '))).toEqual([[words]]);
      }),
      { numRuns: rounds(200), seed: seed() },
    );
  });
});

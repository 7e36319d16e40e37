import type { Random } from '../../../testing/random.js';
import { randomEnvelope } from '../../../testing/tool-calls.js';
import { LAYOUT_NAMES, layOut, tokensOf } from './json-layouts.js';

/** An envelope in some layout: tool calls as agents write them, and the shapes in which a repetition is hard to see. */
export function randomDocument(random: Random): string {
  const envelope = randomEnvelope(random);
  if (random.chance(0.6)) {
    envelope['action'] = { tool_name: random.pick(['run', 'edit', 'write']), arguments: randomArguments(random) };
  }
  return layOut(tokensOf(JSON.stringify(envelope)), random.pick(LAYOUT_NAMES));
}

function randomArguments(random: Random): Record<string, unknown> {
  switch (random.below(6)) {
    case 0: // an argument list that would be executed
      return { argv: some(random, 3, 9, () => random.pick(ARGUMENTS)), cwd: '/srv/app', shell: false };
    case 1: // objects in objects with the same keys
      return {
        env: { CI: '1', A: 'x y', PATH: '/usr/bin', env: { CI: '1', B: `${random.below(3)}` } },
        argv: ['make', random.pick(ARGUMENTS)],
        retries: random.below(2000),
      };
    case 2:
      return {
        path: 'src/a.ts',
        edits: some(random, 2, 6, (index) => ({ line: index + 1, text: random.pick(LINES), keep: random.chance(0.5) })),
        dry: random.chance(0.5),
      };
    case 3:
      return { tree: randomTree(random, 3), limit: -1.5e-7 * random.below(100) };
    case 4: // long strings, in which lines repeat
      return { path: 'docs/a.md', content: some(random, 15, 45, () => random.pick(LINES)).join('\n'), mode: 420 };
    default:
      return {
        steps: some(random, 2, 6, () => ({ run: random.pick(ARGUMENTS), with: { node: 20, cache: 'npm' } })),
        numbers: some(random, 2, 8, () => random.pick([0, 1, 12, 123, 1.5, -20, 1e21])),
        matrix: some(random, 2, 4, () => some(random, 2, 3, () => random.pick([0, 1]))),
        label: random.pick(['café', 'naïve / “quoted”', 'a\tb']),
      };
  }
}

function randomTree(random: Random, depth: number): unknown {
  return {
    name: random.pick(ARGUMENTS),
    size: random.below(30),
    children: depth === 0 ? [] : some(random, 0, 3, () => randomTree(random, depth - 1)),
  };
}

const some = <T>(random: Random, least: number, most: number, make: (index: number) => T): T[] =>
  Array.from({ length: least + random.below(most - least + 1) }, (_, index) => make(index));

const ARGUMENTS = ['npm', 'run', 'migrate', '--', '--force', 'a b', 'café', '-x', 'say "hi"', 'C:\\tmp', 'npm'];
const LINES = [
  '  const value = read(input);',
  '  const value = read(other);',
  '  const value = read(input, { strict: true });',
  '- [ ] check the [link](a.md), then go on',
  '- [ ] check the [link](b.md), then go on',
  '}',
  '',
  '// ------------------------------------------------',
  'Then the parser reads the next line, and the next.',
  '{"line": 1},',
];

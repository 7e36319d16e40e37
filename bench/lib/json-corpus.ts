import { createRandom, type Random } from '@devs/core/testing';

export type Shape = 'string-heavy' | 'dense';

/** About `size` characters of JSON: one file's worth of source code in a tool call, or rows of small values. */
export function jsonOf(shape: Shape, size: number): string {
  const random = createRandom(size);
  if (shape === 'dense') {
    const rows: unknown[] = [];
    for (let length = 2; length < size; length += JSON.stringify(rows.at(-1)).length + 1) rows.push(row(random));
    return JSON.stringify(rows);
  }
  let content = '';
  while (content.length < size * 0.95) content += line(random);
  return JSON.stringify({ tool_name: 'write_file', arguments: { path: 'src/parser.ts', content, mode: 420 } });
}

const row = (random: Random) => ({
  id: random.below(100_000),
  x: random.below(1_000) / 10,
  y: -random.below(500),
  ok: random.chance(0.5),
  tag: random.pick(['a', 'bc', 'def']),
  next: null,
  values: [random.below(10), random.below(100)],
});

const line = (random: Random) => {
  const words = Array.from({ length: 4 + random.below(9) }, () => random.pick(WORDS));
  return `${'  '.repeat(random.below(4))}${words.join(' ')}${random.chance(0.15) ? ' "quoted"' : ''};\n`;
};

const WORDS = 'const return function scanner token offset => (value) if else { } state next chunk length await'.split(
  ' ',
);

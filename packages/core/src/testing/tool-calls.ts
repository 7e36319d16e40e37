import type { Random } from './random.js';

/** A realistic SAOP envelope around a tool call: code, escapes, Unicode, nested and repetitive arguments. */
export function randomEnvelope(random: Random): Record<string, unknown> {
  return {
    schema_version: '1.0',
    turn_index: random.below(200),
    agent_id: random.pick(['coder-1', 'reviewer', 'planner-β']),
    phase: random.pick(['plan', 'implement', 'verify']),
    thought: {
      reasoning: randomProse(random, 1 + random.below(6)),
      plan: random.chance(0.5) ? randomProse(random, 1) : ['read', 'edit', 'test'].slice(0, 1 + random.below(3)),
      ...(random.chance(0.3) ? { uncertainty: random.below(100) / 100 } : {}),
    },
    action: { tool_name: random.pick(TOOLS), arguments: randomArguments(random) },
  };
}

function randomArguments(random: Random): Record<string, unknown> {
  switch (random.below(5)) {
    case 0:
      return { path: randomPath(random), content: randomCode(random, 3 + random.below(25)) };
    case 1:
      return {
        path: randomPath(random),
        edits: Array.from({ length: 1 + random.below(4) }, () => ({
          old_text: randomCode(random, 1 + random.below(3)),
          new_text: randomCode(random, 1 + random.below(3)),
        })),
      };
    case 2:
      return {
        command: `npm test -- --grep "${random.pick(WORDS)} \\"${random.pick(WORDS)}\\""`,
        timeout_ms: 1000 * random.below(300),
      };
    case 3:
      return {
        rows: randomRows(random),
        dry_run: random.chance(0.5),
        label: random.pick(['日本語のテキスト', 'Ünïcödé', '🚀 go 👩‍👩‍👧', 'ok']),
      };
    default:
      return {
        todos: Array.from({ length: 2 + random.below(6) }, (_, index) => ({
          id: index + 1,
          title: randomProse(random, 1),
          status: random.pick(['pending', 'done', 'in_progress']),
          tags: random.chance(0.5) ? [] : [random.pick(WORDS)],
        })),
        note: null,
      };
  }
}

/** Tables in which neighbouring cells are often the same: what makes overlaps hard to tell from content. */
function randomRows(random: Random): unknown[] {
  const cell = random.pick([0, 1, 0.5, 'x', true, null, '']);
  const width = 1 + random.below(5);
  return Array.from({ length: 1 + random.below(8) }, () =>
    Array.from({ length: width }, () => (random.chance(0.7) ? cell : random.below(10))),
  );
}

function randomCode(random: Random, lines: number): string {
  return Array.from({ length: lines }, () => `${'  '.repeat(random.below(4))}${random.pick(LINES)}`).join('\n');
}

const randomProse = (random: Random, sentences: number) =>
  Array.from({ length: sentences }, () => {
    const words = Array.from({ length: 3 + random.below(12) }, () => random.pick(WORDS));
    return `${words.join(' ')}${random.pick(['.', '!', ': see "docs"', ' — done.', '…'])}`;
  }).join(random.pick([' ', '\n', '\n\n']));

const randomPath = (random: Random) => `src/${random.pick(WORDS)}/${random.pick(WORDS)}-${random.below(50)}.ts`;

const TOOLS = ['write_file', 'edit_file', 'run', 'insert_rows', 'update_todos'];
const WORDS =
  'the parser keeps its state while tokens arrive so a cut answer can be resumed later naïve 完了 déjà'.split(' ');
const LINES = [
  'export function add(a: number, b: number) {',
  'return a + b;',
  '}',
  '',
  'const path = "C:\\\\temp\\\\new";',
  "if (text.includes('\\n')) { count++; }",
  '// --------------------------------',
  'const emoji = "🚀🚀";\t// tabs',
  'expect(parse(`{"a":[1,2,{"b":null}]}`)).toEqual({ a: 1 });',
  'console.log("done", 100_000, -1.5e-7);',
  '    ',
];

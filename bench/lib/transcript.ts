import { createRandom, type Random } from '@devs/core/testing';

/**
 * A made-up conversation in the form in which Claude Code writes them: mostly results of tools, each repeated in a form
 * of the program's own, and its book-keeping in between. The same for the same seed.
 */
export function createTranscriptWriter(seed: number) {
  const random = createRandom(seed);
  const world = createWorld(random);
  let lines = 0;
  const line = (type: string, more: object) => {
    lines += 1;
    const at = new Date(Date.UTC(2026, 0, 1) + lines * 7_000).toISOString();
    const head = { parentUuid: uuid(lines - 1), isSidechain: false, userType: 'external', cwd: FOLDER };
    const place = { sessionId: uuid(0), version: '2.1.40', gitBranch: 'fix/retries' };
    const { toolUseResult, ...rest } = more as { toolUseResult?: object };
    return `${JSON.stringify({ ...head, ...place, type, ...rest, uuid: uuid(lines), timestamp: at, toolUseResult })}\n`;
  };
  return {
    /** What the user asks, and ten to thirty calls of the agent with their results. */
    turn(): string {
      const parts = [line('user', { message: { role: 'user', content: world.prose(3) } })];
      for (let call = 10 + random.below(20); call > 0; call--) parts.push(...callLines(random, world, line));
      parts.push(line('assistant', { message: answer(random, [{ type: 'text', text: world.prose(6) }]) }));
      parts.push(line('system', { subtype: 'turn_duration', durationMs: random.below(1e6) }));
      return parts.join('');
    },
  };
}

const FOLDER = '/home/anna/work/shop';

const uuid = (number: number) => `5f3c2a10-7b1e-4c55-9d42-${number.toString(16).padStart(12, '0')}`;

type World = ReturnType<typeof createWorld>;

/** A few hundred files with code, and words to talk about them. */
function createWorld(random: Random) {
  const syllables = [
    'cart',
    'order',
    'item',
    'price',
    'user',
    'load',
    'save',
    'parse',
    'retry',
    'queue',
    'token',
    'view',
  ];
  const word = () => random.pick(syllables);
  const camel = () => `${word()}${[word(), word()].map((part) => part[0]?.toUpperCase() + part.slice(1)).join('')}`;
  const files = Array.from({ length: 400 }, () => `src/${word()}/${word()}-${word()}/${word()}-${word()}.ts`);
  const codeLine = () =>
    random.pick([
      () =>
        `  const ${camel()} = await ${camel()}(${word()}.${word()}, { ${word()}: "${word()}", limit: ${random.below(900)} });`,
      () => `  if (${camel()} === undefined) throw new ${camel()}Error('no ${word()} for ${word()}');`,
      () => `export function ${camel()}(${word()}: ${camel()}, ${word()}: string): ${camel()} {`,
      () => `import { ${camel()}, ${camel()} } from './${word()}-${word()}.js';`,
      () => `  // ${word()} comes before ${word()}, otherwise the ${word()} is lost`,
      () => '}',
      () => '',
    ])();
  const code = Array.from({ length: 4_000 }, codeLine);
  const from = (count: number) => random.below(code.length - count);
  return {
    file: () => random.pick(files),
    name: camel,
    code(count: number) {
      const start = from(count);
      return code.slice(start, start + count).join('\n');
    },
    prose: (sentences: number) =>
      Array.from(
        { length: sentences },
        () =>
          `The ${word()} of the ${word()} fails because \`${camel()}\` in ${random.pick(files)} runs before ${word()}.`,
      ).join(' '),
  };
}

type Line = (type: string, more: object) => string;

function callLines(random: Random, world: World, line: Line): string[] {
  const id = `toolu_${random.below(2 ** 32).toString(36)}${random.below(2 ** 32).toString(36)}`;
  const { name, input, output, repeated, isError = false } = toolUse(random, world);
  const parts = [
    ...(random.chance(0.4) ? [{ type: 'thinking', thinking: world.prose(5), signature: 'x'.repeat(300) }] : []),
    ...(random.chance(0.3) ? [{ type: 'text', text: world.prose(1) }] : []),
    { type: 'tool_use', id, name, input },
  ];
  const message = answer(random, []);
  const content = [{ tool_use_id: id, type: 'tool_result', content: output, ...(isError ? { is_error: true } : {}) }];
  return [
    ...parts.map((part) => line('assistant', { message: { ...message, content: [part] }, requestId: message.id })),
    ...(random.chance(0.3) ? [line('progress', { data: { type: 'hook_progress', command: world.prose(1) } })] : []),
    line('user', { message: { role: 'user', content }, toolUseResult: repeated }),
  ];
}

const answer = (random: Random, content: readonly object[]) => ({
  model: 'claude-opus-4-6',
  id: `msg_${random.below(2 ** 32).toString(36)}`,
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: null,
  usage: { input_tokens: 12, cache_creation_input_tokens: 900, cache_read_input_tokens: 90_000, output_tokens: 200 },
});

interface ToolUse {
  readonly name: string;
  readonly input: object;
  readonly output: string;
  readonly repeated: object;
  readonly isError?: boolean;
}

function toolUse(random: Random, world: World): ToolUse {
  const filePath = `${FOLDER}/${world.file()}`;
  const kind = random.below(10);
  if (kind < 4) {
    const text = world.code(40 + random.below(160));
    const numbered = text.replace(/^/gm, '    12→');
    return {
      name: 'Read',
      input: { file_path: filePath },
      output: numbered,
      repeated: { type: 'text', file: { filePath, content: text } },
    };
  }
  if (kind < 6) {
    const [oldString, newString] = [world.code(4), world.code(6)];
    const input = { file_path: filePath, old_string: oldString, new_string: newString };
    const repeated = { filePath, oldString, newString, originalFile: world.code(120), structuredPatch: [] };
    return { name: 'Edit', input, output: `The file ${filePath} has been updated.\n${world.code(10)}`, repeated };
  }
  if (kind < 9) {
    const isError = random.chance(0.1);
    const stdout = `${isError ? 'Exit code 1\n' : ''}${world.code(10 + random.below(60))}\n${isError ? 'error: 1 failed' : 'ok'}`;
    const input = { command: `npm test -- ${world.file()}`, description: 'Run the tests' };
    return { name: 'Bash', input, output: stdout, repeated: { stdout, stderr: '', interrupted: false }, isError };
  }
  const found = Array.from({ length: 30 }, () => `${world.file()}:12:${world.code(1)}`).join('\n');
  const input = { pattern: world.name(), path: `${FOLDER}/src` };
  return { name: 'Grep', input, output: found, repeated: { mode: 'content', content: found } };
}

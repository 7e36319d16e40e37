import type { Random } from '@devs/core/testing';
import * as own from '../../builtin/__tests__/builtin-lines.js';
import { call, result, agent as said, user } from '../../claude-code/__tests__/lines.js';
import { answered, called, item, message, line as recorded, started } from '../../codex/__tests__/codex-lines.js';
import { head, call as made, model, typed } from '../../gemini/__tests__/gemini-lines.js';

/** A plausible line of one of the agents, or a damaged one. Calls and answers match now and then. */
export type LineMaker = (random: Random) => string;

const WORDS = ['src/cart/add-up.ts', 'applyVoucher', 'näher', '🛒', 'npm test', 'error: not found', 'v1.2.3', '\n'];

const some = (random: Random, most: number) =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(' ');
/** Long ones now and then: they may be read in another way. */
const words = (random: Random) => some(random, random.chance(0.2) ? 200 : 12);
const file = (random: Random) => `/shop/src/file-${random.below(6)}.ts`;
const id = (random: Random) => `call-${random.below(4)}`;

const damaged: LineMaker = (random) =>
  random.pick(['', '   ', '{"type":"user"', 'no json', '[1]', '{}', '{"type":"new"}']);

const claudeCall = (random: Random) =>
  random.pick([
    call('Read', { file_path: file(random), offset: random.below(90), limit: 20 }, id(random)),
    call('Edit', { file_path: file(random), old_string: words(random), new_string: words(random) }, id(random)),
    call('Bash', { command: `npm test -- ${file(random)}`, description: 'Run it' }, id(random)),
    call('Grep', { pattern: words(random), path: '/shop/src' }, id(random)),
    call('TaskCreate', { subject: words(random), description: words(random) }, id(random)),
    call('TaskUpdate', { taskId: '1', status: random.pick(['in_progress', 'completed']) }, id(random)),
    call('TodoWrite', { todos: [{ content: words(random), status: 'pending' }] }, id(random)),
    call('ExitPlanMode', { plan: words(random) }, id(random)),
    call('mcp__other__tool', { anything: [words(random)] }, id(random)),
  ]);

const claude: LineMaker = (random) => {
  const about = {
    cwd: random.chance(0.9) ? '/shop' : '/shop/src',
    sessionId: 's-1',
    uuid: `u-${random.below(1e6)}`,
    ...(random.chance(0.1) ? { isSidechain: true, agentId: 'a1' } : {}),
  };
  const answer = random.pick([words(random), 'Task #1 created', `Exit code 1\n${words(random)}`]);
  const usage = { id: `m-${random.below(5)}`, usage: { input_tokens: 5, output_tokens: 2 }, model: 'opus' };
  return JSON.stringify(
    random.pick([
      user(words(random), about),
      user([{ ...result(answer), tool_use_id: id(random), is_error: random.chance(0.3) }], about),
      {
        ...user([{ ...result(answer), tool_use_id: id(random) }], about),
        toolUseResult: { stdout: answer },
        slug: 's',
      },
      said([{ type: 'text', text: words(random) }, claudeCall(random)], usage, about),
      said([claudeCall(random)], usage, about),
      user('<command-name>/clear</command-name>', { ...about, isMeta: random.chance(0.9) }),
      user(words(random), { ...about, isCompactSummary: true }),
      { type: 'system', subtype: 'compact_boundary', ...about },
    ]),
  );
};

const codex: LineMaker = (random) =>
  random.pick([
    started,
    message(random.pick(['user', 'assistant']), [words(random)]),
    called('exec_command', { cmd: `cat ${file(random)}` }, id(random)),
    called('update_plan', { plan: [{ step: words(random), status: 'pending' }] }, id(random)),
    answered(`Exit code: ${random.below(2)}\nWall time: 1 s\nOutput:\n${words(random)}`, id(random)),
    answered(`Process running with session ID ${random.below(3)}\n${words(random)}`, id(random)),
    called('write_stdin', { session_id: random.below(3), chars: 'y' }, id(random)),
    item({ type: 'message', role: 'assistant', content: [{ text: words(random) }] }, { compaction_output: true }),
    recorded('compacted', { message: '' }),
    recorded('event_msg', { type: 'token_count', info: tokenCount(random.below(3)) }),
  ]);

const tokenCount = (total: number) => ({
  last_token_usage: { input_tokens: 5, output_tokens: 1 },
  total_token_usage: { total_tokens: total },
});

const gemini: LineMaker = (random) => {
  const name = `m-${random.below(6)}`;
  const tools = { toolCalls: [made('read_file', { file_path: file(random) }, { output: words(random) })] };
  return random.pick([
    head({ directories: ['/shop'], ...(random.chance(0.1) ? { kind: 'subagent' } : {}) }),
    JSON.stringify(typed(name, words(random))),
    JSON.stringify(model(name, words(random), random.chance(0.5) ? tools : {})),
    JSON.stringify({ $set: { messages: [typed('m-0', words(random)), model('m-1', words(random))] } }),
  ]);
};

const builtin: LineMaker = (random) =>
  own.line(
    random.pick([
      own.opened,
      { type: 'request', id: id(random), text: words(random) },
      own.answered('end_turn', { message: words(random) }, words(random)),
      {
        type: 'call',
        id: id(random),
        tool: 'edit_file',
        input: { path: 'a.ts', old: words(random), new: words(random) },
      },
      { type: 'call', id: id(random), tool: 'run_command', input: { command: ['npm', 'test', file(random)] } },
      { type: 'answer', id: id(random), tool: 'run_command', status: 'error', output: words(random), exitCode: 1 },
      own.used(random.below(90_000)),
      { type: 'compaction', trigger: 'auto', summary: words(random), tokensBefore: 9, tokensAfter: 1 },
      { type: 'state', says: 'idle', detail: '' },
    ]),
  );

const withDamage =
  (maker: LineMaker): LineMaker =>
  (random) =>
    random.chance(0.1) ? damaged(random) : maker(random);

export const LINES: Readonly<Record<string, LineMaker>> = {
  claude: withDamage(claude),
  codex: withDamage(codex),
  gemini: withDamage(gemini),
  builtin: withDamage(builtin),
};

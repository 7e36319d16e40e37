import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompleteOptions, createNoSandbox, type LlmAnswer, type LlmMessage } from '@devs/core';
import type { BuiltinRecord, BuiltinStatus } from '@devs/drivers';
import { onTestFinished } from 'vitest';
import type { AgentSetup, Face } from '../agent-setup.js';
import { openAgent } from '../open-agent.js';

export const envelope = (tool: string, args: object, reasoning = 'So be it.'): string =>
  JSON.stringify({
    schema_version: '1.0',
    turn_index: 0,
    agent_id: 'builtin',
    phase: 'work',
    thought: { reasoning, plan: [] },
    action: { tool_name: tool, arguments: args },
  });
export const endTurn = (message = 'Done.') => envelope('end_turn', { message });

/** The messages of one model call. */
interface Asked {
  readonly prompt: string;
  readonly messages: readonly LlmMessage[];
}

export type Answer = (asked: Asked, call: number, options: CompleteOptions) => string | LlmAnswer | Promise<string>;

/** A worktree and a home that several agents, one after the other, may work in. */
export function createAgentWorld(answer: Answer) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-agent-')));
  const [worktree, home] = [join(folder, 'worktree'), join(folder, 'home')];
  for (const path of [worktree, home]) mkdirSync(path);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const agentHome = join(home, 'agent');
  const asked: Asked[] = [];
  const said: string[] = [];
  const shown: string[] = [];
  const questions: string[] = [];
  let ids = 0;
  let now = 1_700_000_000_000;
  const face: Face = {
    say: (text) => void said.push(text),
    show(says) {
      shown.push(says);
      return undefined;
    },
    async ask(question, _signal, onShown) {
      questions.push(question);
      onShown();
      return answers.shift() ?? 'no';
    },
  };
  const answers: ('yes' | 'no' | 'always')[] = [];
  const setup = (changes: Partial<AgentSetup> = {}): AgentSetup => ({
    folder: worktree,
    user: { home, env: { PATH: process.env.PATH, DEVS_AGENT_HOME: agentHome } },
    conversationId: 'first',
    isResumed: false,
    model: {
      provider: 'test',
      name: 'test-model',
      window: 100_000,
      open: () => ({
        async complete(prompt, options = {}) {
          const ask = { prompt, messages: [...(options.history ?? []), { role: 'user' as const, text: prompt }] };
          asked.push(ask);
          return answer(ask, asked.length, options);
        },
      }),
    },
    servers: {},
    sandbox: createNoSandbox({ PATH: process.env.PATH }),
    permissions: { mode: 'allow', rules: [] },
    reinjectEvery: 5,
    version: '1.0.0',
    pid: 4711,
    clock: { now: () => (now += 1) },
    newId: () => `id-${++ids}`,
    ...changes,
  });
  const transcriptOf = (id: string): readonly BuiltinRecord[] => {
    const [place = ''] = readdirSync(agentHome).filter((name) => name !== 'running');
    return readFileSync(join(agentHome, place, `${id}.jsonl`), 'utf8')
      .split('\n')
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as BuiltinRecord] : []));
  };
  return {
    worktree,
    agentHome,
    asked,
    said,
    shown,
    questions,
    answers,
    transcriptOf,
    setup,
    of: <Type extends BuiltinRecord['type']>(type: Type, id = 'first') =>
      transcriptOf(id).filter((record): record is Extract<BuiltinRecord, { type: Type }> => record.type === type),
    status: () => JSON.parse(readFileSync(join(agentHome, 'running', '4711.json'), 'utf8')) as BuiltinStatus,
    async open(changes: Partial<AgentSetup> = {}) {
      const agent = await openAgent(setup(changes), face);
      onTestFinished(() => agent.close());
      return agent;
    },
  };
}

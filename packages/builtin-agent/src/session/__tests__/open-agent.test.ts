import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgentWorld, endTurn, envelope } from './test-agent.js';

const write = (path: string) => envelope('write_file', { path, content: 'export {};\n' });

describe('the agent', () => {
  it('works turn by turn until the model ends its turn, and reports observations to it [TAS-035]', async () => {
    const world = createAgentWorld((_, call) => (call === 1 ? write('a.ts') : endTurn('Written.')));
    const agent = await world.open();
    expect(await agent.obey('Write a.ts')).toBe('on');

    expect(existsSync(join(world.worktree, 'a.ts'))).toBe(true);
    expect(world.asked[1]?.prompt).toBe(
      'OBSERVATION {"tool_name":"write_file","status":"ok","output":"wrote a.ts (11 characters)"}',
    );
    expect(world.asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(world.said).toContain('Written.');
    expect(world.shown).toEqual(['idle', 'busy', 'idle']);
    expect(world.status()).toMatchObject({ conversation: 'first', says: 'idle' });
  });

  it('does not begin without the tools of its workflow, so that it is started again', async () => {
    const world = createAgentWorld(() => endTurn());
    const broken = { command: process.execPath, args: ['-e', 'process.exit(1)'] };
    await expect(world.open({ servers: { devs: broken } })).rejects.toThrow('The MCP server devs cannot be started');
    expect(world.asked).toEqual([]);
    const agent = await world.open({ servers: { theirs: broken } });
    expect(await agent.obey('Go')).toBe('on');
    expect(world.said.join()).toContain('The MCP server theirs cannot be started');
  });

  it('writes the intent before the effect, all of it readable by its user only', async () => {
    const world = createAgentWorld((_, call) => (call === 1 ? write('a.ts') : endTurn()));
    await (await world.open()).obey('Write a.ts');

    expect(world.transcriptOf('first').map(({ type }) => type)).toEqual([
      ...['conversation', 'request', 'state'],
      ...['usage', 'envelope', 'call', 'answer'],
      ...['usage', 'envelope', 'state'],
    ]);
    for (const name of readdirSync(world.agentHome, { recursive: true, encoding: 'utf8' })) {
      expect(statSync(join(world.agentHome, name)).mode & 0o077, name).toBe(0);
    }
  });

  it("reports the provider's own number for a full context", async () => {
    const usage = { inputTokens: 1_234, outputTokens: 5 };
    const world = createAgentWorld(() => ({ text: endTurn(), stopReason: 'end_turn', usage }));
    await (await world.open()).obey('Hello');
    expect(world.of('usage')).toMatchObject([
      { ...usage, window: 100_000, model: 'test-model', estimated: false, calls: 1 },
    ]);
  });

  it('estimates it where the provider does not say', async () => {
    const world = createAgentWorld(() => endTurn());
    await (await world.open()).obey('word '.repeat(10_000));
    const [usage] = world.of('usage');
    expect(usage?.estimated).toBe(true);
    expect(usage?.inputTokens).toBeGreaterThan(8_000);
  });

  it('[3_MCP-TAS-072] resumes an answer that was cut off, and counts it', async () => {
    const whole = endTurn('All of it.');
    const world = createAgentWorld((_, call) =>
      call === 1
        ? { text: whole.slice(0, 120), stopReason: 'max_tokens' }
        : { text: whole.slice(120), stopReason: 'end_turn' },
    );
    await (await world.open()).obey('Go');
    expect(world.said).toContain('All of it.');
    expect(world.of('resumed')).toHaveLength(1);
    expect(world.of('usage')).toMatchObject([{ calls: 2 }]);
  });

  it('[3_MCP-TAS-071] asks for a valid answer twice, then asks the user, who can continue', async () => {
    const world = createAgentWorld((_, call) => (call <= 3 ? 'I would rather chat.' : endTurn('As you say.')));
    const agent = await world.open();
    await agent.obey('Go');
    expect(world.asked).toHaveLength(3);
    expect(world.of('escalation')).toMatchObject([{ reason: 'malformed' }]);
    expect(world.of('state').at(-1)).toMatchObject({
      says: 'idle',
      error: expect.stringContaining('not a SAOP envelope'),
    });

    await agent.obey('Just end it.');
    expect(world.said).toContain('As you say.');
    expect(world.status().says).toBe('idle');
  });

  it('counts a correction that helped', async () => {
    const world = createAgentWorld((_, call) => (call === 1 ? '{"thought":1}' : endTurn()));
    await (await world.open()).obey('Go');
    expect(world.of('corrected')).toMatchObject([{ corrections: 1 }]);
  });

  it('reports an unknown tool to the model and continues', async () => {
    const world = createAgentWorld((_, call) => (call === 1 ? envelope('fly', {}) : endTurn()));
    await (await world.open()).obey('Go');
    expect(world.of('answer')).toMatchObject([
      { status: 'error', errorDetail: expect.stringContaining('there is no tool fly') },
    ]);
  });

  it('removes the status files of killed agents, and keeps those of running ones', async () => {
    const world = createAgentWorld(() => endTurn());
    const running = join(world.agentHome, 'running');
    mkdirSync(running, { recursive: true });
    for (const pid of [2 ** 22 + 1, process.pid]) writeFileSync(join(running, `${pid}.json`), '{}');
    await world.open();
    expect(readdirSync(running).toSorted()).toEqual([`${process.pid}.json`, '4711.json'].toSorted());
  });

  it('refuses unknown commands, and shows its status', async () => {
    const world = createAgentWorld(() => endTurn());
    const agent = await world.open();
    await agent.obey('/nope');
    await agent.obey('/status');
    expect(world.asked).toEqual([]);
    expect(world.said.join('\n')).toMatch(/no command \/nope[\s\S]*test-model/);
    expect(await agent.obey('/exit')).toBe('exit');
  });
});

describe('permissions', () => {
  const runs = () =>
    createAgentWorld((_, call) =>
      call % 2 === 1 ? envelope('run_command', { command: ['node', '--version'] }) : endTurn(),
    );

  it('are requested, and a refusal is observed as denied', async () => {
    const world = runs();
    const agent = await world.open({ permissions: { mode: 'ask', rules: [] } });
    world.answers.push('no', 'yes');
    await agent.obey('Which node?');
    await agent.obey('Which node?');
    expect(world.questions).toEqual(Array(2).fill('Allow run_command node --version?'));
    expect(world.of('answer').map(({ status }) => status)).toEqual(['denied', 'ok']);
    expect(world.shown).toContain('waiting');
  });

  it('are asked for once where the answer is "always"', async () => {
    const world = runs();
    const agent = await world.open({ permissions: { mode: 'ask', rules: [] } });
    world.answers.push('always');
    await agent.obey('Which node?');
    await agent.obey('/clear');
    await agent.obey('Which node?');
    expect(world.questions).toHaveLength(1);
  });

  it('are refused without a question in mode deny', async () => {
    const world = runs();
    await (await world.open({ permissions: { mode: 'deny', rules: [] } })).obey('Which node?');
    expect(world.questions).toEqual([]);
    expect(world.of('answer')).toMatchObject([{ status: 'denied' }]);
  });
});

describe('a conversation', () => {
  it('equals its transcript: another process continues with the same messages', async () => {
    const world = createAgentWorld((_, call) => (call === 1 ? write('a.ts') : endTurn(`Answer ${call}`)));
    const first = await world.open();
    await first.obey('Write a.ts');
    await first.close();
    const second = await world.open({ isResumed: true });
    await second.obey('And now?');

    const before = world.asked[1]?.messages ?? [];
    const after = world.asked[2]?.messages ?? [];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([{ role: 'assistant' }, { role: 'user', text: 'And now?' }]);
  });

  it('survives a line that was cut off by a crash', async () => {
    const world = createAgentWorld(() => endTurn());
    await (await world.open()).obey('One');
    const path = world.status().path;
    appendFileSync(path, '{"at":"2026-01-01T00:00:00.000Z","type":"requ');
    await (await world.open({ isResumed: true })).obey('Two');
    expect(
      world.asked
        .at(-1)
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ text }) => text),
    ).toEqual(['One', 'Two']);
  });

  it.each([...Array(11).keys()])('can be taken up when the agent died after line %i of it', async (kept) => {
    const world = createAgentWorld((_, call) => (call === 1 ? write('a.ts') : endTurn()));
    await (await world.open()).obey('Write a.ts');
    const path = world.status().path;
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(
      path,
      lines
        .slice(0, kept)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await (await world.open({ isResumed: kept > 0 })).obey('Go on.');

    const roles = world.asked.at(-1)?.messages.map(({ role }) => role) ?? [];
    expect(roles.at(-1)).toBe('user');
    expect(world.asked.at(-1)?.prompt).toBe('Go on.');
    const [calls, answers] = [world.of('call'), world.of('answer')];
    expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
  });

  it('makes the model check a call with an unknown outcome', async () => {
    const world = createAgentWorld(() => endTurn());
    await (await world.open()).obey('One');
    appendFileSync(
      world.status().path,
      `${JSON.stringify({ at: '2026-01-01T00:00:00.000Z', type: 'call', id: 'c1', tool: 'run_command', input: {} })}\n`,
    );
    await (await world.open({ isResumed: true })).obey('Go on.');
    expect(world.of('answer')).toMatchObject([
      { id: 'c1', status: 'error', errorDetail: expect.stringContaining('may have been done or not') },
    ]);
  });

  it('that does not exist cannot be resumed, and that is said', async () => {
    const world = createAgentWorld(() => endTurn());
    await expect(world.open({ isResumed: true, conversationId: 'nobody' })).rejects.toThrow(
      'there is no conversation nobody',
    );
  });

  it('is compacted from its own records, without a model, and continues from them', async () => {
    const world = createAgentWorld((_, call) => (call === 1 ? write('src/parser.ts') : endTurn()));
    const agent = await world.open();
    await agent.obey('Write the parser');
    await agent.obey('/compact');
    const calls = world.asked.length;
    await agent.obey('And now?');

    expect(world.of('compaction')).toMatchObject([
      { trigger: 'manual', summary: expect.stringContaining('src/parser.ts') },
    ]);
    expect(world.asked).toHaveLength(calls + 1);
    const messages = world.asked.at(-1)?.messages ?? [];
    expect(messages).toHaveLength(2);
    expect(messages[0]?.text).toMatch(/^\[COMPACTED\][\s\S]*Write the parser/);
  });

  it('is replaced by /clear with an empty one', async () => {
    const world = createAgentWorld(() => endTurn());
    const agent = await world.open();
    await agent.obey('Remember the blue door.');
    await agent.obey('/clear');
    const next = world.status().conversation;
    expect(world.of('clear')).toMatchObject([{ next }]);
    await agent.obey('What did I say?');
    expect(world.asked.at(-1)?.messages).toHaveLength(1);
    expect(world.of('request', next)).toHaveLength(1);
  });

  it('is compacted by the agent itself at 80 % of the window, and keeps unanswered messages', async () => {
    const usage = { inputTokens: 85_000, outputTokens: 10 };
    const world = createAgentWorld((_, call) => {
      if (call === 1) return { text: write('a.ts'), usage: { inputTokens: 10_000, outputTokens: 10 } };
      return call === 2 ? { text: write('b.ts'), usage } : endTurn();
    });
    await (await world.open()).obey('Write both files.');
    expect(world.of('compaction')).toMatchObject([{ trigger: 'auto' }]);
    const last = world.asked.at(-1)?.messages ?? [];
    expect(last).toHaveLength(2);
    expect(last[1]?.text).toContain('wrote b.ts');
  });

  it('is compacted once when the provider says that it does not fit, and the user is asked when that does not help', async () => {
    const tooLong = Object.assign(new Error('prompt is too long: 300000 tokens > 200000 maximum'), { status: 400 });
    const once = createAgentWorld((_, call) => (call === 1 ? Promise.reject(tooLong) : endTurn('It fits.')));
    await (await once.open()).obey('Go');
    expect(once.said).toContain('It fits.');
    expect(once.of('compaction')).toHaveLength(1);

    const always = createAgentWorld(() => Promise.reject(tooLong));
    await (await always.open()).obey('Go');
    expect(always.of('compaction')).toHaveLength(1);
    expect(always.status()).toMatchObject({ says: 'idle' });
    expect(always.of('state').at(-1)).toMatchObject({ error: 'The conversation does not fit into the model.' });
  });
});

describe('a model that does not answer', () => {
  const fails = (error: object) => createAgentWorld(() => Promise.reject(Object.assign(new Error('no luck'), error)));

  it('because of a limit leaves the agent idle, with the end of the limit in its records', async () => {
    const world = fails({ status: 429, retryAfterMs: 3_600_000 });
    await (await world.open()).obey('Go');
    const [limit] = world.of('limit');
    expect(limit).toMatchObject({ kind: 'usage-limit', detail: 'no luck' });
    expect((limit?.until ?? 0) - Date.parse(limit?.at ?? '')).toBeCloseTo(3_600_000, -3);
    expect(world.status().says).toBe('idle');
  });

  it.each([{ status: 503 }, {}])('because of its network (%j) does so too', async (error) => {
    const world = fails(error);
    await (await world.open()).obey('Go');
    expect(world.of('limit')).toMatchObject([{ kind: 'network' }]);
  });

  it.each([
    { status: 401, message: 'no', says: 'The API key was refused (401). Put a valid key into TEST_KEY' },
    { status: 403, message: 'no', says: 'The API key may not use test-model (403)' },
    {
      status: 404,
      message: 'model: test-model',
      says: 'test has no model test-model (404). Name another with --model',
    },
    { status: 404, message: 'no such page', says: 'The model cannot be asked: no such page' },
  ])('because it was refused with $status and "$message" ends the turn with one error that says so', async (row) => {
    const { status, message, says } = row;
    const world = createAgentWorld(() => Promise.reject(Object.assign(new Error(message), { status })));
    const agent = await world.open({ model: { ...world.setup().model, keyName: 'TEST_KEY' } });

    expect(await agent.obey('Go')).toBe('failed');
    expect(world.said.filter((text) => text.startsWith(says))).toHaveLength(1);
    expect(world.of('escalation')).toMatchObject([{ reason: 'model-refused', summary: expect.stringContaining(says) }]);
    expect(world.of('state').at(-1)).toMatchObject({ says: 'idle', error: expect.stringContaining(says) });
    expect(world.status().says).toBe('idle');
  });

  it('is not waited for when the user interrupts, and the next prompt is taken', async () => {
    const world = createAgentWorld((_, call, { signal }) =>
      call > 1
        ? endTurn('Here.')
        : new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const agent = await world.open();
    const first = agent.obey('Think hard.');
    while (!agent.interrupt() || world.asked.length === 0) await new Promise((next) => setTimeout(next, 5));
    await first;
    expect(world.of('interruption')).toHaveLength(1);
    expect(agent.interrupt()).toBe(false);
    await agent.obey('Never mind.');
    expect(world.said).toContain('Here.');
  });
});

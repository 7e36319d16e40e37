import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '@devs/core';
import { agentChannelContract, until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Face } from '../../session/agent-setup.js';
import { openClaudeAgent } from '../open-claude-agent.js';
import { openStreamWorld, type StreamWorld } from './stream-world.js';

const untilTold = async <Type extends AgentEvent['type']>({ events }: StreamWorld, type: Type) => {
  await until(
    () => events.some((event) => event.type === type),
    () => `${type} in ${JSON.stringify(events).slice(-2_000)}`,
  );
  return events.find((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
};

describe('the channel to a Claude Code by stream-json', () => {
  it.each(Object.entries(agentChannelContract))('%s', async (_sentence, prove) => {
    await prove(await openStreamWorld());
  });
});

describe('a program that holds a Claude Code', () => {
  it('says how full the context is by the transcript, and how large it is by the agent itself', async () => {
    const world = await openStreamWorld();
    await world.channel.prompt('[[say One.]]', 'p-1');
    await until(() => world.events.some((event) => event.type === 'usage.measured' && event.window === 'recorded'));
    expect(world.events.findLast(({ type }) => type === 'usage.measured')).toMatchObject({
      usage: { usedTokens: 2_005, windowTokens: 100_000 }, // it compacts at 67,000 of 300,000
    });
  });

  it.each([
    ['allow', { allow: ['make deploy'] }, 1],
    ['deny', { deny: ['make'] }, 0],
  ] as const)('does not ask what a rule decides: %s', async (_what, rules, done) => {
    const world = await openStreamWorld({ rules });
    await world.channel.prompt(world.prompts.asks, 'p-1');
    await untilTold(world, 'turn.ended');
    expect(world.done()).toBe(done);
    expect(world.events.map(({ type }) => type)).not.toContain('permission.asked');
  });

  it("never allows by a rule what the user's own settings of the agent want to be asked", async () => {
    const world = await openStreamWorld({ rules: { allow: ['git push', '*'] } });
    await world.channel.prompt('[[run git push]]', 'p-1');
    expect(await untilTold(world, 'permission.asked')).toMatchObject({ tool: 'Bash', detail: 'git push' });
    expect(world.done()).toBe(0);
  });

  it('allows more than once for its process only, and writes nothing into the settings of the user', async () => {
    const world = await openStreamWorld();
    await world.channel.prompt(world.prompts.asks, 'p-1');
    const asked = await untilTold(world, 'permission.asked');
    expect(asked?.choices.map(({ name }) => name)).toEqual([
      'Yes',
      'Yes, and Bash(make deploy) in this conversation',
      'No',
    ]);
    await world.channel.answer(asked?.requestId ?? '', 'always');
    await until(() => world.done() === 1);
    expect(world.noted().at(-1)?.lasting).toMatchObject([{ type: 'addRules', destination: 'session' }]);
  });

  it('takes the answer of a person at the terminal, and shows what is asked', async () => {
    const world = await openStreamWorld();
    await world.channel.prompt(world.prompts.asks, 'p-1');
    await until(() => world.shown().includes('Allow Bash: make deploy? [y]es / [n]o / [a]lways'));
    world.press('y');
    expect(await untilTold(world, 'permission.settled')).toMatchObject({ by: 'terminal', choice: 'allow' });
    await until(() => world.done() === 1);
  });

  it.each([
    ['401 Invalid API key', 'login', true],
    ['404 model: nothing', 'model', true],
    ['429 Rate limited', 'quota', false],
    ['529 Overloaded', 'overload', false],
    ['400 prompt is too long: 9 tokens > 8 maximum', 'overflow', true],
  ])('says which kind of error it is, and whether waiting helps: %s', async (text, kind, isFinal) => {
    const world = await openStreamWorld();
    await world.channel.prompt(`[[fail ${text}]]`, 'p-1');
    expect(await untilTold(world, 'error.reported')).toMatchObject({ kind });
    const ended = await untilTold(world, 'turn.ended');
    expect(ended?.error !== undefined).toBe(isFinal);
  });

  it('is in the conversation that the agent can open again after a clear', async () => {
    const world = await openStreamWorld();
    await world.channel.prompt('[[say One.]]', 'p-1');
    await untilTold(world, 'turn.ended');
    await world.channel.clear();
    await until(() => world.events.filter(({ type }) => type === 'conversation.changed').length === 2);
    await world.channel.prompt('[[say Two.]]', 'p-2');
    await until(() =>
      world.events.some(
        (event) =>
          event.type === 'conversation.grew' &&
          event.events.some((said) => said.type === 'note.written' && said.text === 'Two.'),
      ),
    );
  });
});

describe('a program that does not speak stream-json', () => {
  it.each([
    ['ends by itself', 'console.error("error: unknown option --input-format"); process.exit(1)', true],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', false],
  ])('is written down for the next launch where it %s', async (_what, code, isWritten) => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-unspoken-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const refusedFile = join(folder, 'refused.txt');
    const setup = {
      name: 'claude',
      command: [process.execPath, '--eval', code],
      folder,
      user: { home: folder, env: { PATH: process.env.PATH } },
      conversationId: randomUUID(),
      permissions: { mode: 'ask', allow: [], ask: [], deny: [] } as const,
      pid: process.pid,
      clock: Date,
      newId: randomUUID,
      refusedFile,
    };
    const face = { say() {}, show() {}, ask: async () => 'no' } as unknown as Face;
    await expect(openClaudeAgent(setup, face)).rejects.toThrow('does not speak stream-json');
    expect(existsSync(refusedFile)).toBe(isWritten);
    if (isWritten) expect(readFileSync(refusedFile, 'utf8')).toContain('unknown option --input-format');
  });
});

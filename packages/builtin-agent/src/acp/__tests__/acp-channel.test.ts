import { agentChannelContract, until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openAcpWorld } from './acp-world.js';

describe('the channel to an ACP agent', () => {
  it.each(Object.entries(agentChannelContract))('%s', async (_sentence, prove) => {
    await prove(await openAcpWorld());
  });

  it('compacts where the agent is known to report it', async () => {
    const world = await openAcpWorld({ compact: '/compact' });
    await agentChannelContract['compact is seen in the records, or is not offered']?.(world);
    expect(world.events.map(({ type }) => type)).toContain('compaction.seen');
  });
});

describe('a program that holds an ACP agent', () => {
  it('tells the agent its instructions with the first words of a conversation only', async () => {
    const world = await openAcpWorld({ instructions: 'Be brief.' });
    await world.channel.prompt('[[say One.]]', 'p-1');
    await world.channel.prompt('[[say Two.]]', 'p-2');
    await world.channel.clear();
    await world.channel.prompt('[[say Three.]]', 'p-3');
    await until(() => world.heard().length === 3);
    expect(world.heard()).toEqual(['Be brief.\n\n[[say One.]]', '[[say Two.]]', 'Be brief.\n\n[[say Three.]]']);
  });

  it('says how full the context is, as the agent reports it', async () => {
    const world = await openAcpWorld();
    await world.channel.prompt('[[say One.]]', 'p-1');
    await until(() => world.events.some(({ type }) => type === 'usage.measured'));
    expect(world.events.find(({ type }) => type === 'usage.measured')).toMatchObject({
      usage: { usedTokens: 2_000, windowTokens: 100_000 },
    });
  });

  it.each([
    ['allow', { allow: ['make deploy'] }, 1],
    ['deny', { deny: ['make'] }, 0],
  ] as const)('does not ask what a rule decides: %s', async (_what, rules, done) => {
    const world = await openAcpWorld({ rules });
    await world.channel.prompt(world.prompts.asks, 'p-1');
    await until(() => world.events.some(({ type }) => type === 'turn.ended'));
    expect(world.done()).toBe(done);
    expect(world.events.map(({ type }) => type)).not.toContain('permission.asked');
  });

  it('takes the answer of a person at the terminal, and shows what is asked', async () => {
    const world = await openAcpWorld();
    await world.channel.prompt(world.prompts.asks, 'p-1');
    await until(() => world.shown().includes('Allow make deploy: make deploy? [y]es / [n]o / [a]lways'));
    world.press('y');
    await until(() => world.events.some(({ type }) => type === 'permission.settled'));
    expect(world.events.find(({ type }) => type === 'permission.settled')).toMatchObject({
      by: 'terminal',
      choice: 'go',
    });
    await until(() => world.done() === 1);
  });

  it('keeps what a person is typing while a prompt comes over the channel', async () => {
    const world = await openAcpWorld();
    world.press('half a sen');
    await world.channel.prompt('[[say Fine.]]', 'p-1');
    await until(() => world.events.some(({ type }) => type === 'turn.ended'));
    world.press('tence\r');
    await until(() => world.heard().includes('half a sentence'));
  });

  it.each([
    ['401 invalid x-api-key', 'login'],
    ['429 rate limit', 'quota'],
    ['prompt is too long', 'overflow'],
    ['529 overloaded', 'overload'],
  ])('says which kind of error it is: %s', async (text, kind) => {
    const world = await openAcpWorld();
    await world.channel.prompt(`[[fail ${text}]]`, 'p-1');
    await until(() => world.events.some(({ type }) => type === 'error.reported'));
    expect(world.events.find(({ type }) => type === 'error.reported')).toMatchObject({ kind });
  });

  it('takes an agent that is killed in its turn for an ended agent, and not for a turn without an answer', async () => {
    const world = await openAcpWorld();
    await world.channel.prompt('[[cut]]', 'p-1');
    expect(String(await world.ended)).toContain('mine ended: with code 1');
    expect(world.events.map(({ type }) => type)).not.toContain('error.reported');
    expect(world.shown()).not.toContain('connection closed');
  });
});

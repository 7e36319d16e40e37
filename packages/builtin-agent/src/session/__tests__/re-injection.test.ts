import { describe, expect, it } from 'vitest';
import { createAgentWorld, endTurn, envelope } from './test-agent.js';

const SPECS = { tas: '# TAS\n\n## Summary\nUse the parser.\n', prd: '# PRD\n\n## Summary\nUsers want forms.\n' };
const list = envelope('list_files', {});

describe('re-injection [3_MCP-TAS-089]', () => {
  it('puts the specs in front of the newest message after five turns in one node, and never keeps them', async () => {
    const world = createAgentWorld((_, call) => (call < 12 ? list : endTurn()));
    await (await world.open({ specs: SPECS })).obey('Look around');

    const reminded = world.asked.map(
      ({ messages }) => messages.filter(({ text }) => text.startsWith('[CONTEXT REFRESH]')).length,
    );
    expect(reminded).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    const messages = world.asked[5]?.messages ?? [];
    expect(messages.at(-2)?.text).toMatch(/TAS Summary[\s\S]*Use the parser[\s\S]*PRD Summary[\s\S]*Users want forms/);
    expect(messages.at(-1)?.text).toMatch(/^OBSERVATION /);
    expect(JSON.stringify(world.of('envelope'))).not.toContain('CONTEXT REFRESH');
    expect(world.of('re-injection').map(({ turn }) => turn)).toEqual([5, 10]);
  });

  it('counts on in a process that takes the conversation up [3_MCP-TAS-088]', async () => {
    const world = createAgentWorld((_, call) => ([3, 7].includes(call) ? endTurn() : list));
    await (await world.open({ specs: SPECS })).obey('Look around');
    await (await world.open({ specs: SPECS, isResumed: true })).obey('Go on');
    expect(world.of('re-injection').map(({ turn }) => turn)).toEqual([5]);
  });

  it('is not done where there are no specs', async () => {
    const world = createAgentWorld((_, call) => (call < 8 ? list : endTurn()));
    await (await world.open()).obey('Look around');
    expect(world.of('re-injection')).toEqual([]);
  });

  it('costs at most 0.2 % of the tokens that go in, however long the specs are and the conversation is', async () => {
    const long = Array.from({ length: 400 }, (_, at) => `## Part ${at}\n\nThe system shall do thing ${at} well.`).join(
      '\n\n',
    );
    let [sent, last] = [0, 0];
    const world = createAgentWorld(({ messages }, call) => {
      last = messages.reduce((sum, { text }) => sum + text.length, 0);
      // As a provider counts it, for a conversation that began with a large context.
      const inputTokens = 20_000 + Math.ceil(last / 4);
      sent += inputTokens;
      return { text: call < 300 ? list : endTurn(), usage: { inputTokens, outputTokens: 20 } };
    });
    await (await world.open({ specs: { tas: long, prd: long } })).obey('Look around');
    const cost = world.of('re-injection').reduce((sum, { tokens }) => sum + tokens, 0);
    expect(world.of('re-injection').length).toBeGreaterThan(50);
    expect(cost / sent).toBeLessThan(0.002);
  });
});

import { rounds } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createAgentWorld, endTurn, envelope } from './test-agent.js';

describe('a conversation of thousands of turns', () => {
  it('sends and keeps no more than the window holds, and every prompt is answered once', async () => {
    const PROMPTS = rounds(60);
    const TURNS = 20;
    let longest = 0;
    let call = 0;
    const world = createAgentWorld(({ messages }) => {
      call += 1;
      longest = Math.max(longest, messages.length);
      const inputTokens = Math.ceil(messages.reduce((sum, { text }) => sum + text.length, 0) / 4);
      const text = call % TURNS === 0 ? endTurn(`prompt ${call / TURNS}`) : envelope('list_files', {}, 'x'.repeat(400));
      return { text, usage: { inputTokens, outputTokens: 50 } };
    });
    const agent = await world.open({ model: { ...world.setup().model, window: 20_000 } });
    for (let prompt = 1; prompt <= PROMPTS; prompt++) await agent.obey(`Prompt ${prompt}: look around`);

    expect(call).toBe(PROMPTS * TURNS);
    expect(world.said.filter((text) => text.startsWith('prompt '))).toHaveLength(PROMPTS);
    expect(Math.max(...world.of('usage').map(({ inputTokens }) => inputTokens))).toBeLessThan(20_000);
    expect(world.of('compaction').length).toBeGreaterThan(3);
    expect(longest).toBeLessThan(400);
  });
});

import { describe, expect, it } from 'vitest';
import type { ConversationEvent, ConversationFact } from '../../conversation/conversation-event.js';
import { costByPrice } from '../cost-by-price.js';
import { addUsage, caughtUp, openTally, readAgain, storedTally, type UsageTally } from '../usage-tally.js';

const fact = (event: ConversationFact): ConversationEvent => ({ ...event, from: {} }) as unknown as ConversationEvent;
const usage = (messageId: string) =>
  fact({ type: 'usage.reported', messageId, inputTokens: 100, outputTokens: 10, cachedTokens: 60 });
const grew = (messageId: string) => fact({ type: 'usage.grew', messageId, outputTokens: 5 });
const count = (tally: UsageTally, ...events: ConversationEvent[]) =>
  events.reduce((sum, event) => addUsage(sum, event), tally);

describe('the usage of a conversation', () => {
  it('[H14] is counted once for each model call, with what came to it later', () => {
    const tally = count(openTally('c'), usage('m1'), grew('m1'), usage('m2'));
    expect(tally).toMatchObject({
      spent: { turns: 2, inputTokens: 200, cachedTokens: 120, outputTokens: 25 },
      upTo: 'm2',
    });
    expect(count(storedTally(tally), usage('m3')).spent).toMatchObject({ turns: 1, inputTokens: 100 });
  });

  it('[H14] is not counted again when the transcript is read from its beginning after a crash', () => {
    const again = count(openTally('c', 'm2'), usage('m1'), grew('m1'), usage('m2'), usage('m3'), grew('m3'));
    expect(again).toMatchObject({ spent: { turns: 1, inputTokens: 100, outputTokens: 15 }, upTo: 'm3' });
  });

  it('[H14] is not counted again when the next process of the same conversation is read', () => {
    const first = count(openTally('c'), usage('m1'), usage('m2'));
    expect(count(readAgain(first), usage('m1'), usage('m2'), usage('m3')).spent).toMatchObject({ turns: 3 });
    expect(count(readAgain(openTally('c')), usage('m1')).spent).toMatchObject({ turns: 1 });
  });

  it('is counted again from now on where the past was too long to find the place in it', () => {
    const lost = count(openTally('c', 'm0'), usage('m8'), usage('m9'));
    expect(lost.spent.turns).toBe(0);
    expect(count(caughtUp(lost), usage('m10')).spent).toMatchObject({ turns: 1 });
  });

  it('costs its known price', () => {
    const described = fact({ type: 'conversation.described', model: 'big' });
    const costOf = ({ model = '' }) => (model === 'big' ? 0.25 : undefined);
    const tally = [described, usage('m1'), usage('m2')].reduce(
      (sum, event) => addUsage(sum, event, costOf),
      openTally('c'),
    );
    expect(tally.spent.costUsd).toBe(0.5);
    expect(addUsage(openTally('c'), usage('m1'), costOf).spent.costUsd).toBeUndefined();
  });

  it.each([
    [{ input: 3, output: 15, cached: 0.3 }, 5.1],
    [{ input: 3, output: 15 }, 10.5],
  ])('count money by the prices %j of the user', (price, usd) => {
    const call = { inputTokens: 3_000_000, cachedTokens: 2_000_000, outputTokens: 100_000 };
    expect(costByPrice(price)?.(call)).toBeCloseTo(usd, 5);
  });

  it.each([undefined, {}, { input: 3 }, { output: 15, cached: 1 }])('know no money by the prices %j', (price) => {
    expect(costByPrice(price)).toBeUndefined();
  });
});

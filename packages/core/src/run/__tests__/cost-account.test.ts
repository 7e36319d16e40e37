import { describe, expect, it } from 'vitest';
import { addPriced, addStated, type CostAccount, openAccount, storedAccount, unstoredCost } from '../cost-account.js';

const after = (account: CostAccount, ...steps: readonly ((before: CostAccount) => CostAccount)[]): CostAccount =>
  steps.reduce((before, step) => step(before), account);
const priced = (usd: number) => (account: CostAccount) => addPriced(account, usd);
const stated = (usd: number) => (account: CostAccount) => addStated(account, usd);

describe('the cost of an agent process', () => {
  it.each([
    { is: 'unknown without a price or a word of the agent', account: openAccount(), due: undefined },
    { is: 'the sum of its calls by price', account: after(openAccount(), priced(1), priced(2)), due: 3 },
    {
      is: 'what the agent states, whatever the price says',
      account: after(openAccount(), priced(1), stated(5)),
      due: 5,
    },
    { is: 'the last total, not the sum of totals', account: after(openAccount(), stated(2), stated(5)), due: 5 },
    { is: 'what came since it was stored', account: after(openAccount(), stated(2), storedAccount, stated(5)), due: 3 },
    {
      is: 'never counted twice where a price was stored before the agent stated a total',
      account: after(openAccount(), priced(1), storedAccount, stated(4)),
      due: 3,
    },
    { is: 'continued by the next supervisor from a total', account: after(openAccount(2), stated(5)), due: 3 },
    { is: 'continued by the next supervisor by price', account: after(openAccount(2), priced(1)), due: 1 },
    { is: 'nothing where a total is lower than what was stored', account: after(openAccount(2), stated(1)), due: 0 },
  ])('is $is', ({ account, due }) => {
    expect(unstoredCost(account)).toBe(due);
  });
});

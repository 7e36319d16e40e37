import { describe, expect, it } from 'vitest';
import { costIn } from '../open-claude-agent.js';

describe('what a conversation had cost', () => {
  it.each([
    [{ text: 'Total cost:            $0.0577\nTotal duration (API):  0s' }, 0.0577],
    [{ text: 'Total cost:            $0.0000\nUsage: 0 input' }, 0],
    [{ text: 'All is well' }, 0],
    [undefined, 0],
  ])('is read from %j', (answer, usd) => {
    expect(costIn(answer)).toBe(usd);
  });
});

import { describe, expect, it } from 'vitest';
import { decideReminder } from '../decide-reminder.js';

const EVERY = 20;

describe('a reminder of the specs through a hook', () => {
  it.each([
    { what: 'no specs', specs: { known: undefined, now: undefined }, since: { prompts: 99, calls: 99 }, due: false },
    { what: 'specs that were removed', specs: { known: 'a', now: undefined }, since: 'forgotten' as const, due: false },
    { what: 'few turns', specs: { known: 'a', now: 'a' }, since: { prompts: 19, calls: 19 }, due: false },
    {
      what: 'specs met for the first time',
      specs: { known: undefined, now: 'a' },
      since: { prompts: 1, calls: 0 },
      due: false,
    },
  ])('is not due with $what', ({ specs, since, due }) => {
    expect(decideReminder(specs, since, EVERY)).toEqual({ due });
  });

  it.each([
    { what: '20 prompts', specs: { known: 'a', now: 'a' }, since: { prompts: 20, calls: 0 }, reason: 'turns' },
    {
      what: '20 calls after one prompt',
      specs: { known: 'a', now: 'a' },
      since: { prompts: 1, calls: 20 },
      reason: 'turns',
    },
    { what: 'other specs', specs: { known: 'a', now: 'b' }, since: { prompts: 1, calls: 1 }, reason: 'specs-changed' },
    {
      what: 'an agent that has forgotten',
      specs: { known: 'a', now: 'a' },
      since: 'forgotten' as const,
      reason: 'forgotten',
    },
  ])('[3_MCP-TAS-089] is due with $what', ({ specs, since, reason }) => {
    expect(decideReminder(specs, since, EVERY)).toEqual({ due: true, reason });
  });
});

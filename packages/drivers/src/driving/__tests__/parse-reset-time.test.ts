import { describe, expect, it } from 'vitest';
import { parseResetTime } from '../parse-reset-time.js';

const NOW = Date.parse('2026-11-16T14:20:30Z');

describe('when a limit is over', () => {
  it.each([
    { text: "You've hit your session limit · resets 3pm (UTC)", at: '2026-11-16T15:00:00.000Z' },
    { text: "You've hit your session limit · resets 2:30am (UTC)", at: '2026-11-17T02:30:00.000Z' },
    { text: "You've hit your weekly limit · resets Nov 19, 9am (Europe/Berlin)", at: '2026-11-19T08:00:00.000Z' },
    { text: "You've hit your limit · resets 11am (America/New_York)", at: '2026-11-16T16:00:00.000Z' },
    { text: 'resets 12am (UTC)', at: '2026-11-17T00:00:00.000Z' },
    { text: 'Claude AI usage limit reached|1794900000', at: '2026-11-17T07:20:00.000Z' },
    { text: "You've hit your usage limit. Try again in 2 hours 5 minutes.", at: '2026-11-16T16:25:30.000Z' },
    { text: 'Try again in 3 days 1 hour', at: '2026-11-19T15:20:30.000Z' },
  ])('is read from: $text', ({ text, at }) => {
    expect(new Date(parseResetTime(text, NOW) ?? 0).toISOString()).toBe(at);
  });

  it.each(['Please try again later.', 'resets 3pm (Middle/Earth)', 'wait in line', ''])(
    'is not guessed from: %s',
    (text) => {
      expect(parseResetTime(text, NOW)).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { describeSpan, describeTime, relativeTime } from '../describe-time.js';
import { parseDuration } from '../parse-duration.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('parseDuration', () => {
  it.each([
    ['45s', 45_000],
    ['30m', 30 * MINUTE],
    ['1h30m', 90 * MINUTE],
    ['2d', 2 * DAY],
    ['365d', 365 * DAY],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '0m', '30', 'm', '30M', ' 30m', '30m ', '-5m', '1.5h', '30 m', '5m2h', '366d', '99999999999h', '1e3s'])(
    'refuses "%s"',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('times', () => {
  const calendar = { now: Date.UTC(2026, 0, 31, 14, 0, 0), timeZone: 'UTC' };

  it.each([
    [1, '1 s'],
    [59_400, '59 s'],
    [59_600, '1 min'],
    [29.99 * MINUTE, '30 min'],
    [59.6 * MINUTE, '1 h'],
    [47 * HOUR, '47 h'],
    [48 * HOUR, '2 days'],
  ])('%d ms are %s', (ms, text) => {
    expect(describeSpan(ms)).toBe(text);
  });

  it.each([
    [-1_000, 'just now'],
    [-5 * MINUTE, '5 min ago'],
    [20 * MINUTE, 'in 20 min'],
  ])('%d ms from now is %s', (ms, text) => {
    expect(relativeTime(calendar.now + ms, calendar)).toBe(text);
  });

  it('name the day only where it is not today', () => {
    expect(describeTime(calendar.now - 5 * MINUTE, calendar)).toBe('13:55:00 (5 min ago)');
    expect(describeTime(calendar.now - 3 * DAY, calendar)).toBe('2026-01-28 14:00:00 (3 days ago)');
  });

  it('stand on the clock of the user', () => {
    expect(describeTime(calendar.now, { ...calendar, timeZone: 'Asia/Tokyo' })).toBe('23:00:00 (just now)');
  });
});

import type { Clock } from '@devs/core';
import { count } from '../words.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What time it is for the user: now, and where. */
export interface Calendar {
  readonly now: number;
  /** As in `Europe/Berlin`; the machine's own where it is left out. */
  readonly timeZone?: string | undefined;
}

/** `3 h`, `12 min`, `2 days`: one unit, rounded, never less than a second. */
export function describeSpan(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const minutes = Math.round(ms / MINUTE_MS);
  const hours = Math.round(ms / HOUR_MS);
  if (seconds < 60) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min`;
  return hours < 48 ? `${hours} h` : count(Math.round(ms / DAY_MS), 'day');
}

/** `5 min ago`, `in 20 min`, `just now`. */
export function relativeTime(at: number, { now }: Calendar): string {
  const span = Math.abs(now - at);
  if (span < 5_000) return 'just now';
  return at <= now ? `${describeSpan(span)} ago` : `in ${describeSpan(span)}`;
}

/** `2026-01-31 14:02:05` on the user's clock. */
export function absoluteTime(at: number, { timeZone }: Pick<Calendar, 'timeZone'>): string {
  return formatterFor(timeZone).format(at); // the Swedish form is ISO 8601 with a space
}

/** `14:02:05 (5 min ago)`, with the day where it is not today. */
export function describeTime(at: number, calendar: Calendar): string {
  const absolute = absoluteTime(at, calendar);
  const today = absoluteTime(calendar.now, calendar).slice(0, 'yyyy-mm-dd'.length);
  const short = absolute.startsWith(today) ? absolute.slice(today.length + 1) : absolute;
  return `${short} (${relativeTime(at, calendar)})`;
}

const formatters = new Map<string | undefined, Intl.DateTimeFormat>();

/** Kept: making one takes a thousand times as long as using it. */
function formatterFor(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    ...(timeZone !== undefined && { timeZone }),
  });
  formatters.set(timeZone, made);
  return made;
}

/** What tells the time of day where the user is. */
export interface Times {
  readonly clock: Clock;
  /** Default: the machine's own. */
  readonly timeZone?: string;
}

export const calendarOf = ({ clock, timeZone }: Times): Calendar => ({
  now: clock.now(),
  timeZone,
});

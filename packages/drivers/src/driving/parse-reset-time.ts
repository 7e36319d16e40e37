/**
 * When a provider said that a limit would be over, from the words of a message: `resets 3pm (UTC)`, `try again in 2 hours
 * 5 minutes`, `resets Nov 17, 9:30am (Europe/Berlin)`. Pure; nothing where no time is found.
 */
export function parseResetTime(message: string, now: number): number | undefined {
  return stampIn(message) ?? spanIn(message, now) ?? clockIn(message, now);
}

/** `usage limit reached|1794900000`. */
function stampIn(message: string): number | undefined {
  const seconds = /\|(\d{10})(?!\d)/.exec(message)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

function spanIn(message: string, now: number): number | undefined {
  const span = /\bin ((?:\d+ ?(?:days?|hours?|minutes?|seconds?|d|h|m|s)\b[ ,and]*)+)/i.exec(message)?.[1];
  if (span === undefined) return undefined;
  const parts = [...span.matchAll(/(\d+) ?([dhms])/gi)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit?.toLowerCase() ?? ''] ?? 0), now);
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const CLOCK =
  /\b(?:resets|again|until)(?: at| on)? (?:(?<month>[A-Z][a-z]{2})[a-z]* (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}),?)?(?: at)? )?(?<hour>\d{1,2})(?::(?<minute>\d{2}))? ?(?<half>[ap]m)(?: \((?<zone>[\w/+-]+)\))?/i;

function clockIn(message: string, now: number): number | undefined {
  const { month, day, year, hour, minute, half, zone } = CLOCK.exec(message)?.groups ?? {};
  if (hour === undefined || half === undefined) return undefined;
  const offset = offsetOf(zone, now);
  if (offset === undefined) return undefined;
  const there = new Date(now + offset);
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  const monthAt = month === undefined ? there.getUTCMonth() : MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const at =
    Date.UTC(
      year === undefined ? there.getUTCFullYear() : Number(year),
      monthAt,
      day === undefined ? there.getUTCDate() : Number(day),
      hours,
      Number(minute ?? 0),
    ) - offset;
  if (at > now || day !== undefined) return at;
  return at + 86_400_000; // that time of tomorrow
}

/** How far a zone is ahead of UTC at a time; without a zone, that of this machine. */
function offsetOf(zone: string | undefined, now: number): number | undefined {
  if (zone === undefined) return -new Date(now).getTimezoneOffset() * 60_000;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...PARTS });
    const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(now / 1_000) * 1_000;
  } catch {
    return undefined; // a zone that is not known
  }
}

const PARTS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

const DURATION = /^(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?$/;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_MS = 365 * DAY_MS;

/** `30m`, `2h`, `1h30m`, `45s`, `2d` in milliseconds; `undefined` for anything else, and for nothing or over a year. */
export function parseDuration(text: string): number | undefined {
  const parts = DURATION.exec(text);
  if (parts === null) return undefined;
  const [days, hours, minutes, seconds] = parts.slice(1).map((digits) => Number(digits ?? 0));
  const ms = (days ?? 0) * DAY_MS + (hours ?? 0) * HOUR_MS + (minutes ?? 0) * MINUTE_MS + (seconds ?? 0) * SECOND_MS;
  return ms > 0 && ms <= MAX_MS ? ms : undefined;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3 s`, `4 min`, `2 h 5 min`, `3 d`. Pure. */
export function span(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return withRest(Math.floor(ms / HOUR), 'h', { rest: Math.floor((ms % HOUR) / MINUTE), unit: 'min' });
  return withRest(Math.floor(ms / DAY), 'd', { rest: Math.floor((ms % DAY) / HOUR), unit: 'h' });
}

const withRest = (whole: number, unit: string, { rest, unit: small }: { rest: number; unit: string }): string =>
  rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${small}`;

/** `14:03:07` */
export const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** `18 Nov, 14:03` */
export const dayTime = (at: number): string =>
  new Date(at).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** `18 Nov, 14:03:07` */
export const exactTime = (at: number): string =>
  new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** `2026-11-18`, of the user's own calendar. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

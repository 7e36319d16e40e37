const SPAN = /^(\d{1,9})(ms|s|m)?$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 } as const;
const LONGEST_MS = 3_600_000;

/** `200ms`, `2s`, `1m` or a number of milliseconds, up to an hour; `undefined` for anything else. */
export function parseSpan(text: string): number | undefined {
  const [, digits, unit = 'ms'] = SPAN.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const ms = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms <= LONGEST_MS ? ms : undefined;
}

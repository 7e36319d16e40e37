import { UNITS } from './units.js';

const PART = /^(\d+)(d|h|ms|m|s)$/;

/** `1h 30m` in milliseconds. Throws a `RangeError` that names the part it cannot read. */
export function parseDuration(text) {
  const parts = text.trim().split(/\s+/);
  return parts.reduce((total, part) => total + millisecondsOf(part), 0);
}

function millisecondsOf(part) {
  const [, amount, unit] = PART.exec(part) ?? [];
  if (unit === undefined) throw new RangeError(`Not a duration: '${part}'`);
  return Number(amount) * UNITS[unit];
}

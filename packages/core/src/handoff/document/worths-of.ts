import type { Ledger } from '../ledger/ledger.js';
import { namesIn } from '../names.js';
import { likeliest } from './likeliest.js';
import { type NameWorth, tellingWorths } from './telling-worths.js';

/** How likely each name is to be needed again; only as many as any document has room for. */
export function worthsOf(
  ledger: Ledger,
  telling: readonly NameWorth[] = tellingWorths(ledger),
): Readonly<Record<string, number>> {
  const latest = worthsOfLatest(ledger);
  const named = telling.map(({ name, worth }) => {
    const more = latest.get(name) ?? 0;
    latest.delete(name);
    return { name, worth: worth + more };
  });
  for (const [name, worth] of latest) named.push({ name, worth });
  return recordOf(likeliest(named, MAX_NAMES));
}

/** A table from the start: `Object.fromEntries` makes a new shape of an object for each of thousands of names. */
function recordOf(names: readonly { readonly name: string; readonly worth: number }[]): Record<string, number> {
  const record: Record<string, number> = Object.create(null);
  for (const { name, worth } of names) record[name] = rounded(worth);
  return Object.setPrototypeOf(record, Object.prototype);
}

/** To three digits, as `toFixed` does it, which takes ten times as long and is asked only where it matters. */
function rounded(worth: number): number {
  const thousandths = Math.round(worth * 1_000);
  const isHalfway = Math.abs(Math.abs(worth * 1_000 - thousandths) - 0.5) < 1e-6;
  return isHalfway ? Number(worth.toFixed(3)) : thousandths / 1_000;
}

const MAX_NAMES = 4_000;

/**
 * The agent was about to act on what it had just been shown. The fewer names a result holds, the likelier is each.
 */
function worthsOfLatest({ recent }: Ledger): Map<string, number> {
  const worths = new Map<string, number>();
  for (const [age, { text }] of [...recent].reverse().entries()) {
    const names = namesIn(text);
    const worth = (LATEST / (1 + age)) * Math.min(1, FEW / names.size);
    for (const name of names) worths.set(name, Math.max(worth, worths.get(name) ?? 0));
  }
  return worths;
}

const LATEST = 6;
const FEW = 40;

import type { Ledger } from '../ledger/ledger.js';
import { worthOf } from '../ledger/mentions.js';
import { namesIn } from '../names.js';
import { likeliest } from './likeliest.js';
import { tellingNames } from './telling-names.js';

/** How likely each name is to be needed again; only as many as any document has room for. */
export function worthsOf(ledger: Ledger): Readonly<Record<string, number>> {
  const worths = new Map<string, number>();
  const isTelling = tellingNames(ledger);
  for (const [name, known] of ledger.mentions)
    if (isTelling(name, known)) worths.set(name, worthOf(known, ledger.step));
  for (const [name, more] of worthsOfLatest(ledger)) worths.set(name, (worths.get(name) ?? 0) + more);
  const named = Array.from(worths, ([name, worth]) => ({ name, worth }));
  return Object.fromEntries(likeliest(named, MOST_NAMES).map(({ name, worth }) => [name, rounded(worth)]));
}

/** To three digits, as `toFixed` does it, which takes ten times as long and is asked only where it matters. */
function rounded(worth: number): number {
  const thousandths = Math.round(worth * 1_000);
  const isHalfway = Math.abs(Math.abs(worth * 1_000 - thousandths) - 0.5) < 1e-6;
  return isHalfway ? Number(worth.toFixed(3)) : thousandths / 1_000;
}

const MOST_NAMES = 4_000;

/**
 * The agent was about to act on what it had just been shown. The fewer names a result holds, the likelier is each.
 */
function worthsOfLatest({ recent }: Ledger): ReadonlyMap<string, number> {
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

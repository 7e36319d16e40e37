import type { TokenPrice } from '../config/settings.js';
import type { CostOf } from './usage-tally.js';

const PER = 1_000_000;

/** What every call costs by the prices that the user gave, or nothing where they do not say it. Pure. */
export function costByPrice({ input, output, cached = input }: TokenPrice = {}): CostOf | undefined {
  if (input === undefined || output === undefined || cached === undefined) return undefined;
  // The input includes its cached part.
  return ({ inputTokens, cachedTokens, outputTokens }) =>
    (Math.max(0, inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output) / PER;
}

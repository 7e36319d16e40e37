import type { Budget } from '../config/settings.js';
import type { RunTotals } from './run-facts.js';

export interface ReachedBudget {
  /** As in the configuration: `tokens`, `day.usd`… */
  readonly budget: string;
  readonly detail: string;
}

/** The first exhausted budget, or none. Unknown costs, such as those of a subscription, exhaust nothing. */
export function reachedBudget(
  budget: Budget & { readonly day: Budget },
  spent: { readonly run: RunTotals; readonly day: RunTotals },
): ReachedBudget | undefined {
  return reached('', budget, spent.run) ?? reached('day.', budget.day, spent.day);
}

function reached(prefix: string, { tokens, usd, minutes }: Budget, spent: RunTotals): ReachedBudget | undefined {
  const whose = prefix === '' ? 'this run' : 'all runs of today';
  const usedTokens = spent.inputTokens + spent.outputTokens;
  if (tokens !== undefined && usedTokens >= tokens)
    return { budget: `${prefix}tokens`, detail: `${whose} used ${usedTokens} tokens of ${tokens}` };
  if (usd !== undefined && spent.costUsd !== undefined && spent.costUsd >= usd)
    return { budget: `${prefix}usd`, detail: `${whose} cost ${spent.costUsd.toFixed(2)} USD of ${usd}` };
  const usedMinutes = spent.activeMs / 60_000;
  if (minutes !== undefined && usedMinutes >= minutes)
    return { budget: `${prefix}minutes`, detail: `${whose} took ${Math.floor(usedMinutes)} minutes of ${minutes}` };
  return undefined;
}

import { estimateTokens } from '../../tokens/estimate-tokens.js';

export type HandoffBudget = { readonly chars: number } | { readonly tokens: number };

/** What a text costs in the unit of the budget, and how much there is of it. */
export interface Measure {
  readonly room: number;
  readonly cost: (text: string) => number;
}

export function measureOf(budget: HandoffBudget): Measure {
  return 'chars' in budget
    ? { room: budget.chars, cost: (text) => text.length }
    : { room: budget.tokens, cost: estimateTokens };
}

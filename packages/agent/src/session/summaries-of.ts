import { createMarkdownSummaryProvider, type SummaryProvider } from '@devs/core';

/** What the summaries of one re-injection may cost, as a share of the context: 0.8 % every five turns is 0.16 % of all. */
const SHARE_OF_CONTEXT = 0.004;
const LEAST_TOKENS = 24;
const MOST_TOKENS = 600;

/** Short ones while little else stands between the specs and now; all of their room when the context is full. */
export function summariesOf(
  specs: { readonly tas: string; readonly prd: string },
  contextTokens: () => number,
): SummaryProvider {
  return {
    getSummary() {
      const budgetTokens = Math.min(
        MOST_TOKENS,
        Math.max(LEAST_TOKENS, Math.floor(contextTokens() * SHARE_OF_CONTEXT)),
      );
      return createMarkdownSummaryProvider({ ...specs, budgetTokens }).getSummary();
    },
  };
}

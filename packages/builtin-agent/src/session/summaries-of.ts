import { createMarkdownSummaryProvider, type SummaryProvider } from '@devs/core';

/** What one re-injection may cost, as a share of the context: 0.8 % every five turns is 0.16 % of all. */
const SHARE_OF_CONTEXT = 0.008;
const HEADINGS_TOKENS = 30;
/** Less says nothing: in a context of under 6,000 tokens it costs more than its share. */
const MIN_TOKENS = 16;
const MAX_TOKENS = 600;

/** Short summaries while the specs are recent; full length when the context is full. */
export function summariesOf(
  specs: { readonly tas: string; readonly prd: string },
  contextTokens: () => number,
): SummaryProvider {
  return {
    getSummary() {
      const each = Math.floor((contextTokens() * SHARE_OF_CONTEXT - HEADINGS_TOKENS) / 2);
      const budgetTokens = Math.min(MAX_TOKENS, Math.max(MIN_TOKENS, each));
      return createMarkdownSummaryProvider({ ...specs, budgetTokens }).getSummary();
    },
  };
}

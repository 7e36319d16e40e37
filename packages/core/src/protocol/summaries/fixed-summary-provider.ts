import type { SummaryProvider } from '../context-refresher.js';

/** The same two texts every time. */
export const createFixedSummaryProvider = (summaries: {
  readonly tasSummary: string;
  readonly prdSummary: string;
}): SummaryProvider => ({
  getSummary: async () => ({ tasSummary: summaries.tasSummary, prdSummary: summaries.prdSummary }),
});

import { InvalidOptionError } from '../../errors/invalid-option-error.js';
import type { SummaryProvider } from '../context-refresher.js';
import { summarizeMarkdown } from './summarize-markdown.js';

export interface MarkdownSummaryOptions {
  /** The text of the TAS and of the PRD. Reading files is the caller's business. */
  readonly tas: string;
  readonly prd: string;
  /** How many tokens each of the two summaries may cost. Default: 600. */
  readonly budgetTokens?: number;
}

const DEFAULT_BUDGET_TOKENS = 600;

/** Summaries taken from the documents themselves, without a model. */
export function createMarkdownSummaryProvider(options: MarkdownSummaryOptions): SummaryProvider {
  const budgetTokens = options.budgetTokens ?? DEFAULT_BUDGET_TOKENS;
  if (!(budgetTokens > 0)) {
    throw new InvalidOptionError({
      option: 'createMarkdownSummaryProvider: budgetTokens',
      received: budgetTokens,
      allowed: 'a number of tokens above 0',
    });
  }
  const summaries = {
    tasSummary: summarizeMarkdown(options.tas, budgetTokens),
    prdSummary: summarizeMarkdown(options.prd, budgetTokens),
  };
  return { getSummary: async () => ({ ...summaries }) };
}

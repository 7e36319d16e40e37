import { ContextRefresher } from '../protocol/context-refresher.js';
import { createMarkdownSummaryProvider } from '../protocol/summaries/markdown-summary-provider.js';
import { redactText } from '../redaction/redact-text.js';

/** The documents as they are; nothing where the project has none of that kind. */
export interface SpecTexts {
  readonly tas: string | undefined;
  readonly prd: string | undefined;
}

/** The same text as of a refresh within our own orchestrator (seed 000), for an agent that is reached through a hook. */
export async function renderReminder({ tas, prd }: SpecTexts, budgetTokens: number): Promise<string> {
  const summaryProvider = createMarkdownSummaryProvider({ tas: tas ?? NONE, prd: prd ?? NONE, budgetTokens });
  const { injectedSummary = '' } = await new ContextRefresher({ threshold: 1, summaryProvider }).onTurn(1);
  return redactText(injectedSummary);
}

const NONE = '(This project has no such document.)';

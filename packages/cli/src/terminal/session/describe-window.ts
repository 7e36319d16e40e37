import type { TerminalNews } from '@devs/supervisor';
import { grouped } from '../../words.js';

/** What the user should know of how the context of their agent is measured; nothing where that is exact. Pure. */
export function describeWindow({ window, status }: Pick<TerminalNews, 'window' | 'status'>): string | undefined {
  if (window === 'assumed')
    return `the context window of its model is not known: ${grouped(status?.usage?.windowTokens ?? 0)} tokens are assumed`;
  return window === 'unknown'
    ? 'the context window of its model is unknown, so its usage cannot be measured'
    : undefined;
}

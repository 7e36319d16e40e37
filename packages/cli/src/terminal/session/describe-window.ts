import type { AgentEvent } from '@devs/core';
import { grouped } from '../../words.js';

/** What the user should know of how his agent's context is measured; nothing where that is exact. Pure. */
export function describeWindow(event: AgentEvent): string | undefined {
  if (event.type !== 'usage.measured') return undefined;
  const { window, usage } = event;
  if (window === 'assumed')
    return `the context window of its model is not known: ${grouped(usage.windowTokens)} tokens are assumed`;
  return window === 'unknown'
    ? 'the context window of its model is not known: how full it is cannot be told'
    : undefined;
}

import { maybeContextRefresh, type RefreshQuestion, type RefreshVerdict } from './maybe-context-refresh.js';

export type AutoHandoffVerdict = RefreshVerdict | { readonly refresh: false; readonly reason: AutoHandoffRefusal };
type AutoHandoffRefusal = 'it did not exit cleanly' | 'nothing is left to do';

export interface AutoHandoffQuestion extends RefreshQuestion {
  readonly exitCode: number;
  readonly hasWorkLeft: boolean;
}

/**
 * Seed 002: whether an exited agent is started fresh from its handoff, without its old conversation. A crashed agent
 * is instead resumed or renewed, as the policy says.
 */
export function maybeAutoHandoff({ exitCode, hasWorkLeft, ...question }: AutoHandoffQuestion): AutoHandoffVerdict {
  if (exitCode !== 0) return { refresh: false, reason: 'it did not exit cleanly' };
  if (!hasWorkLeft) return { refresh: false, reason: 'nothing is left to do' };
  return maybeContextRefresh(question);
}

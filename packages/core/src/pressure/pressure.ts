/** How full a conversation is, as the agent's own records state it for its last model call. */
export interface ContextUsage {
  readonly usedTokens: number;
  readonly windowTokens: number;
}

/** Used / window. Zero where the window is not known: nothing is done on a guess. */
export function pressureOf({ usedTokens, windowTokens }: ContextUsage): number {
  return windowTokens > 0 ? Math.max(0, usedTokens) / windowTokens : 0;
}

import type { WindowSource } from '@devs/core';

interface KnownWindow {
  readonly windowTokens: number;
  readonly source: WindowSource;
}

/** The context window by the settings, else by the agent's own records. */
export function configuredOrRecorded(configured: number | undefined, recorded: number | undefined): KnownWindow {
  if (configured !== undefined) return { windowTokens: configured, source: 'configured' };
  if (recorded !== undefined && recorded > 0) return { windowTokens: recorded, source: 'recorded' };
  return { windowTokens: 0, source: 'unknown' };
}

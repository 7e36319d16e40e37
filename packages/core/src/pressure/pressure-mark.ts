import { type ContextUsage, pressureOf } from './pressure.js';

/** How full a conversation is, between empty and the agent's own compaction. */
export type PressureMark = 'low' | 'soft' | 'firm';

export interface MarkLevel {
  /** Of the window. */
  readonly share: number;
  /** However large the window is: models get worse long before a window of a million tokens is full. */
  readonly mostTokens: number;
}

export interface PressureMarks {
  readonly soft: MarkLevel;
  readonly firm: MarkLevel;
}

export const DEFAULT_MARKS: PressureMarks = {
  soft: { share: 0.5, mostTokens: 250_000 },
  firm: { share: 0.65, mostTokens: 350_000 },
};

export function markOf(usage: ContextUsage | undefined, marks: PressureMarks = DEFAULT_MARKS): PressureMark {
  if (usage === undefined || usage.windowTokens <= 0) return 'low';
  if (isAt(usage, marks.firm)) return 'firm';
  return isAt(usage, marks.soft) ? 'soft' : 'low';
}

const isAt = (usage: ContextUsage, { share, mostTokens }: MarkLevel): boolean =>
  pressureOf(usage) >= share || usage.usedTokens >= mostTokens;

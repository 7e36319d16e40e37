import { estimateTokens } from '../tokens/estimate-tokens.js';
import { fitTokens } from '../tokens/fit-tokens.js';

export interface OutputQuery {
  /** Only outputs under this key or below it: `plan`, `implement.t1`. Default: all. */
  readonly filter?: string;
  /** What all outputs together may cost. Default: 4,000. */
  readonly budgetTokens?: number;
}

export interface SelectedOutputs {
  readonly outputs: Readonly<Record<string, string>>;
  /** Shown in part, for want of room. */
  readonly shortened: readonly string[];
  /** Not shown at all, for want of room; a filter brings them. */
  readonly leftOut: readonly string[];
}

const DEFAULT_BUDGET_TOKENS = 4_000;
/** Less of an output than this says nothing. */
const MIN_TOKENS = 40;

/** The newest outputs whole, then one in part, and the names of the rest. */
export function selectOutputs(
  outputs: Readonly<Record<string, string>>,
  { filter, budgetTokens = DEFAULT_BUDGET_TOKENS }: OutputQuery = {},
): SelectedOutputs {
  const asked = Object.entries(outputs).filter(([key]) => isUnder(key, filter));
  const shown = new Map<string, string>();
  const shortened: string[] = [];
  const leftOut: string[] = [];
  let room = budgetTokens;
  for (const [key, text] of asked.toReversed()) {
    const tokens = estimateTokens(key) + estimateTokens(text);
    if (tokens <= room) shown.set(key, text);
    else if (room < MIN_TOKENS || shortened.length > 0) leftOut.unshift(key);
    else {
      shown.set(key, fitTokens(text, room - estimateTokens(key)));
      shortened.push(key);
    }
    if (shown.has(key)) room -= Math.min(tokens, room);
  }
  const inOrder = asked.flatMap(([key]) => (shown.has(key) ? [[key, shown.get(key) ?? ''] as const] : []));
  return { outputs: Object.fromEntries(inOrder), shortened, leftOut };
}

const isUnder = (key: string, filter: string | undefined) =>
  filter === undefined || key === filter || key.startsWith(`${filter}.`);

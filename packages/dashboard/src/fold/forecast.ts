import { markOf, type PressureMarks } from '@devs/core/folds';
import { markTokens, USUAL_MARKS } from './marks.js';
import { samplesOfTurns, type UsageSample } from './usage-samples.js';

/** What the policy will do next. */
export type Forecast =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'steady' }
  /** At the end of the step, once the soft mark is reached; `turns` is how far that is. */
  | { readonly kind: 'soft'; readonly turns: number }
  | { readonly kind: 'at-step-end' }
  | { readonly kind: 'now' };

const RECENT = 6;

/** By how much the context grew with each of the last turns. Pure. */
export function forecastOf(samples: readonly UsageSample[], marks: PressureMarks = USUAL_MARKS): Forecast {
  const last = samples.at(-1);
  if (last === undefined || last.windowTokens <= 0) return { kind: 'unknown' };
  const mark = markOf(last, marks);
  if (mark === 'firm') return { kind: 'now' };
  if (mark === 'soft') return { kind: 'at-step-end' };
  const perTurn = growthOf(samplesOfTurns(samples).slice(-RECENT));
  if (perTurn <= 0) return { kind: 'steady' };
  const left = markTokens(marks.soft, last.windowTokens) - last.usedTokens;
  return { kind: 'soft', turns: Math.max(1, Math.ceil(left / perTurn)) };
}

/** Where a renewal or compaction made it smaller, that is no growth. */
function growthOf(samples: readonly UsageSample[]): number {
  const steps = samples.slice(1).map(({ usedTokens }, index) => usedTokens - (samples[index]?.usedTokens ?? 0));
  const grown = steps.filter((step) => step > 0);
  return grown.length === 0 ? 0 : grown.reduce((sum, step) => sum + step, 0) / grown.length;
}

export function describeForecast(forecast: Forecast): string {
  switch (forecast.kind) {
    case 'unknown':
      return 'Nothing is measured yet.';
    case 'steady':
      return 'The context does not grow: nothing is due.';
    case 'soft':
      return `Renews at the first step end after about ${forecast.turns} more turn${forecast.turns === 1 ? '' : 's'}, at the soft mark.`;
    case 'at-step-end':
      return 'Above the soft mark: renews at the next step end.';
    case 'now':
      return 'Above the firm mark: renews as soon as the agent pauses.';
  }
}

/**
 * When other marks would have renewed the agent in this past. An estimate: a fresh agent is taken to grow as the old one did.
 * `boundaries`: when steps ended. Pure.
 */
export function dryRun(
  samples: readonly UsageSample[],
  { marks, boundaries }: { readonly marks: PressureMarks; readonly boundaries: readonly number[] },
): readonly number[] {
  const renewals: number[] = [];
  let dropped = 0;
  let before: UsageSample | undefined;
  for (const sample of samples) {
    if (before !== undefined && sample.usedTokens < before.usedTokens / 2) dropped = 0; // it was renewed in earnest
    const usage = { ...sample, usedTokens: Math.max(0, sample.usedTokens - dropped) };
    const mark = markOf(usage, marks);
    const since = before?.at ?? 0;
    const isBoundary = boundaries.some((at) => at > since && at <= sample.at);
    if (mark === 'firm' || (mark === 'soft' && isBoundary)) {
      renewals.push(sample.at);
      dropped = sample.usedTokens;
    }
    before = sample;
  }
  return renewals;
}

import { markOf, type PressureMarks } from '@devs/core/folds';
import { span } from '../words/time.js';
import { markTokens, USUAL_MARKS } from './marks.js';
import { samplesOfTurns, type UsageSample } from './usage-samples.js';

/** What the policy will do next. */
export type Forecast =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'steady' }
  /** At the end of the step, once the soft mark is reached; `turns` and `ms` are how far that is. */
  | { readonly kind: 'soft'; readonly turns: number; readonly ms: number }
  | { readonly kind: 'at-step-end' }
  | { readonly kind: 'now' };

const RECENT = 6;
/** Less than this share of the sample before: something was taken out of the context. */
const DROPPED = 0.8;

/** By how much the context grew with each of the last turns. Pure. */
export function forecastOf(samples: readonly UsageSample[], marks: PressureMarks = USUAL_MARKS): Forecast {
  const last = samples.at(-1);
  if (last === undefined || last.windowTokens <= 0) return { kind: 'unknown' };
  const mark = markOf(last, marks);
  if (mark === 'firm') return { kind: 'now' };
  if (mark === 'soft') return { kind: 'at-step-end' };
  const recent = recentOf(sinceLastDrop(samples));
  const first = recent[0];
  if (first === undefined || recent.length < 2 || last.usedTokens <= first.usedTokens) return { kind: 'steady' };
  const perTurn = (last.usedTokens - first.usedTokens) / (recent.length - 1);
  const turns = Math.max(1, Math.ceil((markTokens(marks.soft, last.windowTokens) - last.usedTokens) / perTurn));
  return { kind: 'soft', turns, ms: (turns * (last.at - first.at)) / (recent.length - 1) };
}

/** Those of ended turns; within the first long turn of a conversation, all of them. */
function recentOf(samples: readonly UsageSample[]): readonly UsageSample[] {
  const ofTurns = samplesOfTurns(samples);
  return (ofTurns.length < 2 ? samples : ofTurns).slice(-RECENT);
}

/** A renewal or compaction made it smaller: what came before says nothing of how it grows now. */
function sinceLastDrop(samples: readonly UsageSample[]): readonly UsageSample[] {
  const drop = samples.findLastIndex(
    ({ usedTokens }, index) => index > 0 && usedTokens < (samples[index - 1]?.usedTokens ?? 0) * DROPPED,
  );
  return samples.slice(Math.max(0, drop));
}

export function describeForecast(forecast: Forecast): string {
  switch (forecast.kind) {
    case 'unknown':
      return 'Nothing is measured yet.';
    case 'steady':
      return 'Next: nothing. The context does not grow.';
    case 'soft':
      return `Next: a renewal at the first step end after about ${forecast.turns} more turn${forecast.turns === 1 ? '' : 's'} (${span(forecast.ms)}), when the soft mark is reached.`;
    case 'at-step-end':
      return 'Next: a renewal at the end of this step. The soft mark is reached.';
    case 'now':
      return 'Next: a renewal as soon as the agent pauses. The firm mark is reached.';
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

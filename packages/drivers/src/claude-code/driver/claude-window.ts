import type { Environment, WindowSource } from '@devs/core';
import { type ArgumentPart, lastValue } from '../../driving/parse-arguments.js';

export interface KnownWindow {
  readonly windowTokens: number;
  readonly source: WindowSource;
}

export interface WindowQuestion {
  /** As the transcript names it; without the `[1m]` that the user may have added. */
  readonly model: string | undefined;
  readonly env: Environment;
  readonly args: readonly ArgumentPart[];
  readonly configured?: number | undefined;
}

const MILLION = 1_000_000;
const USUAL = 200_000;

/**
 * Claude Code reports the window size only to a status line, which belongs to the user. So it is derived from the
 * model.
 */
export function windowOfClaude({ model, env, args, configured }: WindowQuestion): KnownWindow {
  if (configured !== undefined) return { windowTokens: configured, source: 'configured' };
  const known = windowOfModel(model, env, lastValue(args, '--model'));
  if (known === undefined && model === undefined) return { windowTokens: 0, source: 'unknown' };
  const windowTokens = known ?? USUAL; // what Claude Code itself takes a model for that it does not know
  const source = known === undefined ? 'assumed' : 'known model';
  return { windowTokens: Math.min(windowTokens, ownLimit(env, args) ?? windowTokens), source };
}

function windowOfModel(model: string | undefined, env: Environment, asked: string | undefined): number | undefined {
  if (model === undefined || !model.includes('claude')) return numberOf(env.CLAUDE_CODE_MAX_CONTEXT_TOKENS);
  if (isOn(env.CLAUDE_CODE_DISABLE_1M_CONTEXT)) return USUAL;
  if (/\[1m\]$/i.test(asked ?? '') || /\[1m\]$/i.test(model)) return MILLION;
  if (model.includes('haiku')) return USUAL;
  if (/claude-(?:opus|sonnet)-5-5/.test(model)) return MILLION;
  return /claude-(?:opus|sonnet)-4/.test(model) || /claude-3/.test(model) ? USUAL : undefined;
}

/** The user may let it compact as if the window were smaller: then that is the window there is. Below 100k it is raised. */
function ownLimit(env: Environment, args: readonly ArgumentPart[]): number | undefined {
  const given = numberOf(lastValue(args, '--autocompact')) ?? numberOf(env.CLAUDE_CODE_AUTO_COMPACT_WINDOW);
  return given === undefined ? undefined : Math.max(100_000, given);
}

/** Space kept free for the answer, and for its own summary (measured in 2.1.325). */
const FOR_ANSWER = 20_000;
const FOR_SUMMARY = 13_000;

/** At how many tokens of the last answer the agent compacts by itself; never where that is switched off. */
export function compactsAt(windowTokens: number, env: Environment): number | undefined {
  if (isOn(env.DISABLE_AUTO_COMPACT) || isOn(env.DISABLE_COMPACT)) return undefined;
  const effective = windowTokens - FOR_ANSWER;
  const percent = numberOf(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  const latest = effective - FOR_SUMMARY;
  return percent === undefined ? latest : Math.min(Math.floor((effective * percent) / 100), latest);
}

/** Below our firm mark the agent would compact before it is renewed. */
const FIRM_PERCENT = 65;

/** What of the user's own choices weakens the last safety net. Nothing is changed about them. */
export function describeCompaction(env: Environment): readonly string[] {
  if (compactsAt(MILLION, env) === undefined) {
    return ['Claude Code compacts nothing by itself (DISABLE_AUTO_COMPACT): a full conversation stops'];
  }
  const percent = numberOf(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  return percent === undefined || percent > FIRM_PERCENT
    ? []
    : [`Claude Code compacts at ${percent} % (CLAUDE_AUTOCOMPACT_PCT_OVERRIDE), before devs renews it`];
}

const isOn = (value: string | undefined) => value !== undefined && value !== '' && !/^(?:0|false|no|off)$/i.test(value);

/** `150000` or `150k`. */
function numberOf(text: string | undefined): number | undefined {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*([km]?)\s*$/i.exec(text ?? '') ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * (unit === undefined || unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1_000 : MILLION);
}

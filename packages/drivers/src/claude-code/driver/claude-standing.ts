import type { AgentLimit, JsonObject } from '@devs/core';
import { parseResetTime } from '../../driving/parse-reset-time.js';
import { type StatusFact, timeOf } from '../../driving/standing-fact.js';
import { listIn, numberIn, objectIn, textIn } from '../../reading/json.js';
import { usageOf } from '../usage.js';

/** Lines that `claudeStanding` understands. */
export const isTellingForClaude = (line: string): boolean =>
  line.length < MAX_TELLING_LENGTH && TELLING.some((mark) => line.includes(mark));

/** Marks of small records; texts of the conversation may hold them too, and are looked at for nothing. */
const TELLING = [
  '"type":"assistant"',
  '"type":"permission-mode"',
  '"type":"api-request"',
  '"subtype":"turn_duration"',
  '"subtype":"compact_boundary"',
  '"permissionMode":',
];
const MAX_TELLING_LENGTH = 4 << 20;

/** Status facts in one record of a Claude Code transcript. Pure. */
export function claudeStanding(record: JsonObject): readonly StatusFact[] {
  if (record.isSidechain === true) return [];
  const at = timeOf(record.timestamp);
  switch (record.type) {
    case 'assistant':
      return record.isApiErrorMessage === true ? errorFacts(record, at) : usageFacts(record, at);
    case 'system':
      return systemFacts(record, at);
    case 'user':
    case 'permission-mode':
      return settingFacts({ permissionMode: textIn(record.permissionMode) }, at);
    case 'api-request':
      return requestFacts(record, at);
    default:
      return [];
  }
}

type At = { readonly at?: number };

function usageFacts(record: JsonObject, at: At): readonly StatusFact[] {
  const message = objectIn(record.message);
  const usage = message === undefined ? undefined : usageOf(message, '');
  if (usage === undefined || message?.model === '<synthetic>') return [];
  const { inputTokens, outputTokens } = usage;
  const model: readonly StatusFact[] = [
    { type: 'answered', ...at },
    ...settingFacts({ model: textIn(message?.model) }, at),
  ];
  return inputTokens === 0 ? model : [...model, { type: 'usage', usedTokens: inputTokens + outputTokens, ...at }];
}

function systemFacts(record: JsonObject, at: At): readonly StatusFact[] {
  if (record.subtype === 'turn_duration') {
    const subAgents = numberIn(record.pendingBackgroundAgentCount) ?? 0;
    return [{ type: 'turn-ended', detail: 'the turn ended in the transcript', subAgents, ...at }];
  }
  if (record.subtype !== 'compact_boundary') return [];
  const metadata = objectIn(record.compactMetadata);
  const tokensBefore = numberIn(metadata?.preTokens);
  const tokensAfter = numberIn(metadata?.postTokens);
  const trigger = metadata?.trigger === 'auto' || metadata?.trigger === 'manual' ? metadata.trigger : 'unknown';
  return [
    {
      type: 'compacted',
      trigger,
      ...(tokensBefore === undefined ? {} : { tokensBefore }),
      ...(tokensAfter === undefined ? {} : { tokensAfter }),
      ...at,
    },
  ];
}

/** The main conversation only: titles and summaries are made with other models. */
function requestFacts(record: JsonObject, at: At): readonly StatusFact[] {
  if (record.querySource !== 'repl_main_thread') return [];
  return settingFacts({ effort: textIn(objectIn(objectIn(record.params)?.output_config)?.effort) }, at);
}

function settingFacts(settings: Readonly<Record<string, string | undefined>>, at: At): readonly StatusFact[] {
  const known = Object.entries(settings).filter(([, value]) => value !== undefined && value !== '');
  return known.length === 0 ? [] : [{ type: 'settings', settings: Object.fromEntries(known), ...at }];
}

function errorFacts(record: JsonObject, at: At): readonly StatusFact[] {
  const detail = listIn(objectIn(record.message)?.content)
    .map((part) => textIn(objectIn(part)?.text) ?? '')
    .join(' ')
    .slice(0, 500);
  const limit = limitIn(record, detail, at.at ?? 0);
  const ended = { type: 'turn-ended', detail: `an error: ${detail}`, ...at } as const;
  return limit === undefined ? [{ ...ended, error: detail }] : [ended, { type: 'limit', limit, detail, ...at }];
}

function limitIn(record: JsonObject, detail: string, now: number): AgentLimit | undefined {
  const status = numberIn(record.apiErrorStatus);
  const error = textIn(record.error) ?? '';
  if (/hit your .*limit|usage limit|out of usage/i.test(detail) || error === 'rate_limit' || status === 429) {
    const until = quotaReset(record) ?? parseResetTime(detail, now);
    return { kind: 'usage-limit', ...(until === undefined ? {} : { until }) };
  }
  const isNetwork = status === undefined ? /connect|network|timed? ?out|socket/i.test(detail) : status >= 500;
  return isNetwork || error === 'server_error' || error === 'overloaded' ? { kind: 'network' } : undefined;
}

/** Seconds since 1970, where a subscription's limits are recorded with the error. */
function quotaReset(record: JsonObject): number | undefined {
  const limits = listIn(record.quotaLimits).length > 0 ? listIn(record.quotaLimits) : [record.quotaLimits];
  const times = limits.flatMap(
    (limit) => numberIn(objectIn(limit)?.resetsAt) ?? numberIn(objectIn(limit)?.resets_at) ?? [],
  );
  const [latest] = times.toSorted((a, b) => b - a);
  return latest === undefined ? undefined : latest < 1e12 ? latest * 1_000 : latest;
}

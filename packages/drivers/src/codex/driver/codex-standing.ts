import type { AgentLimit, JsonObject } from '@devs/core';
import { parseResetTime } from '../../driving/parse-reset-time.js';
import { type StatusFact, timeOf } from '../../driving/standing-fact.js';
import { numberIn, objectIn, textIn } from '../../reading/json.js';

/** Lines that `codexStanding` understands. */
export const isTellingForCodex = (line: string): boolean => {
  const start = line.slice(0, 400);
  return TELLING.some((mark) => start.includes(mark));
};

/** The kind of a record is at its start. */
const TELLING = [
  '"task_started"',
  '"task_complete"',
  '"turn_',
  '"token_count"',
  '"compacted"',
  '"turn_context"',
  '"error"',
];

/** Status facts in one record of a rollout. Pure. */
export function codexStanding(record: JsonObject): readonly StatusFact[] {
  const at = timeOf(record.timestamp);
  const payload = objectIn(record.payload) ?? {};
  if (record.type === 'compacted') return [{ type: 'compacted', trigger: 'unknown', ...at }];
  if (record.type === 'turn_context') return settingFacts(payload, at);
  if (record.type !== 'event_msg') return [];
  switch (payload.type) {
    case 'task_started':
    case 'turn_started':
      return [{ type: 'turn-began', detail: 'a turn began in the transcript', ...at }];
    case 'task_complete':
    case 'turn_complete':
      return turnEnd(payload, at);
    case 'turn_aborted':
      return [{ type: 'turn-ended', detail: `aborted: ${textIn(payload.reason) ?? ''}`, ...at }];
    case 'token_count':
      return usageFacts(payload, at);
    default:
      return [];
  }
}

type At = { readonly at?: number };

/** `last_token_usage` is the context as it is now; the total is of the whole thread (H14). */
function usageFacts(payload: JsonObject, at: At): readonly StatusFact[] {
  const info = objectIn(payload.info);
  const usedTokens = numberIn(objectIn(info?.last_token_usage)?.total_tokens);
  const windowTokens = numberIn(info?.model_context_window);
  if (usedTokens === undefined) return [];
  return [{ type: 'usage', usedTokens, ...(windowTokens === undefined ? {} : { windowTokens }), ...at }];
}

/** Approval and sandbox together are what Codex has for a permission mode. */
function settingFacts(payload: JsonObject, at: At): readonly StatusFact[] {
  const approval = textIn(payload.approval_policy);
  const sandbox = textIn(objectIn(payload.sandbox_policy)?.type) ?? textIn(payload.sandbox_policy);
  const settings = {
    ...named('model', textIn(payload.model)),
    ...named('effort', textIn(payload.effort)),
    ...named('permissionMode', approval === undefined || sandbox === undefined ? undefined : `${approval}/${sandbox}`),
  };
  return Object.keys(settings).length === 0 ? [] : [{ type: 'settings', settings, ...at }];
}

const named = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });

function turnEnd(payload: JsonObject, at: At): readonly StatusFact[] {
  const ended = { type: 'turn-ended', detail: 'the turn ended in the transcript', ...at } as const;
  const error = objectIn(payload.error);
  if (error === undefined) return [ended, { type: 'answered', ...at }];
  const said = textIn(error.message) ?? 'an error';
  const detail = said.slice(0, 500);
  const limit = limitIn(error, said, at.at ?? 0);
  return limit === undefined ? [{ ...ended, error: detail }] : [ended, { type: 'limit', limit, detail, ...at }];
}

function limitIn(error: JsonObject, detail: string, now: number): AgentLimit | undefined {
  const info = error.codex_error_info;
  const kind = textIn(info) ?? Object.keys(objectIn(info) ?? {})[0] ?? '';
  if (kind === 'usage_limit_exceeded' || /usage limit/i.test(detail)) {
    const until = parseResetTime(detail, now);
    return { kind: 'usage-limit', ...(until === undefined ? {} : { until }) };
  }
  return NETWORK.test(kind) || NETWORK_WORDS.test(detail) ? { kind: 'network' } : undefined;
}

const NETWORK = /connection_failed|stream_disconnected|too_many_failed|server_overloaded|internal_server_error/;
const NETWORK_WORDS = /stream disconnected|connection|timed? ?out|overloaded|50[0-9] |429 /i;

import type { AgentLimit, JsonObject } from '@devs/core';
import { type StandingFact, timeOf } from '../../driving/standing-fact.js';
import { numberIn, textIn } from '../../reading/json.js';

/** Lines that `builtinStanding` understands. */
export const isTellingForBuiltin = (line: string): boolean => TELLING.test(line.slice(0, START));

/** `{"at":"…","type":"…"` is at the start of every line. */
const START = 80;
const TELLING = /"type":"(?:conversation|state|usage|compaction|limit|re-injection|resumed|corrected)"/;

/** Status facts in one line of a built-in agent's transcript. Pure. */
export function builtinStanding(record: JsonObject): readonly StandingFact[] {
  const at = timeOf(record.at);
  switch (record.type) {
    case 'conversation':
      return settingFacts(record, at);
    case 'state':
      return stateFacts(record, at);
    case 'usage':
      return usageFacts(record, at);
    case 'compaction':
      return [
        {
          type: 'compacted',
          trigger: record.trigger === 'auto' || record.trigger === 'manual' ? record.trigger : 'unknown',
          ...counted('tokensBefore', record.tokensBefore),
          ...counted('tokensAfter', record.tokensAfter),
          ...at,
        },
      ];
    case 'limit':
      return limitFacts(record, at);
    case 're-injection':
      return [{ type: 'protocol', what: 're-injected', ...counted('tokens', record.tokens), ...at }];
    case 'resumed':
    case 'corrected':
      return [{ type: 'protocol', what: record.type, ...at }];
    default:
      return [];
  }
}

type At = { readonly at?: number };

/** A waiting agent has not ended its turn. */
function stateFacts(record: JsonObject, at: At): readonly StandingFact[] {
  const detail = textIn(record.detail) ?? '';
  if (record.says === 'busy') return [{ type: 'turn-began', detail, ...at }];
  const error = textIn(record.error);
  if (record.says !== 'idle') return [];
  return [{ type: 'turn-ended', detail, ...(error === undefined ? {} : { error }), ...at }];
}

function usageFacts(record: JsonObject, at: At): readonly StandingFact[] {
  const usedTokens = numberIn(record.inputTokens);
  if (usedTokens === undefined) return [];
  return [
    { type: 'answered', ...at },
    { type: 'usage', usedTokens, ...counted('windowTokens', record.window), ...at },
  ];
}

function limitFacts(record: JsonObject, at: At): readonly StandingFact[] {
  const detail = textIn(record.detail) ?? '';
  const limit: AgentLimit =
    record.kind === 'usage-limit' ? { kind: 'usage-limit', ...counted('until', record.until) } : { kind: 'network' };
  return [{ type: 'limit', limit, detail, ...at }];
}

function settingFacts(record: JsonObject, at: At): readonly StandingFact[] {
  const [model, permissionMode] = [textIn(record.model), textIn(record.permissions)];
  if (model === undefined || permissionMode === undefined) return [];
  return [{ type: 'settings', settings: { model, permissionMode }, ...at }];
}

function counted<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: number } {
  const count = numberIn(value);
  return (count === undefined ? {} : { [name]: count }) as { readonly [Key in Name]?: number };
}

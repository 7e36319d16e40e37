import {
  type AgentErrorKind,
  type AgentLimit,
  believed,
  type JsonObject,
  type PermissionChoice,
  type PermissionSettler,
} from '@devs/core';
import { type StatusFact, timeOf } from '../../driving/standing-fact.js';
import { listIn, numberIn, textIn } from '../../reading/json.js';

/** Lines that `builtinStanding` understands. */
export const isTellingForBuiltin = (line: string): boolean => TELLING.test(line.slice(0, START));

/** `{"at":"…","type":"…"` is at the start of every line. */
const START = 80;
const TELLING =
  /"type":"(?:conversation|request|state|usage|compaction|limit|re-injection|resumed|corrected|permission|permission-settled|error|window|cost)"/;

/** Status facts in one line of a built-in agent's transcript. Pure. */
export function builtinStanding(record: JsonObject): readonly StatusFact[] {
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
    case 'request':
      return [{ type: 'prompt-accepted', promptId: textIn(record.id) ?? '', ...at }];
    case 'permission':
    case 'permission-settled':
      return permissionFacts(record, at);
    case 'error':
      return [
        { type: 'error', kind: record.kind as AgentErrorKind, detail: textIn(record.detail) ?? '', ...at }, // devs wrote it
      ];
    case 'window':
      return [{ type: 'window', windowTokens: numberIn(record.window) ?? 0, ...at }];
    case 'cost':
      return [{ type: 'cost', totalUsd: numberIn(record.usd) ?? 0, ...at }];
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
function stateFacts(record: JsonObject, at: At): readonly StatusFact[] {
  const detail = textIn(record.detail) ?? '';
  if (record.says === 'busy') return [{ type: 'turn-began', detail, ...at }];
  const error = textIn(record.error);
  if (record.says !== 'idle') return [];
  return [{ type: 'turn-ended', detail, ...(error === undefined ? {} : { error }), ...at }];
}

/** As devs itself wrote them. */
function permissionFacts(record: JsonObject, at: At): readonly StatusFact[] {
  const requestId = textIn(record.id) ?? '';
  const choice = textIn(record.choice);
  if (record.type === 'permission-settled') {
    const by = record.by as PermissionSettler;
    return [{ type: 'permission-settled', requestId, by, ...(choice === undefined ? {} : { choice }), ...at }];
  }
  const choices = believed<readonly PermissionChoice[]>(listIn(record.choices));
  const [tool, detail] = [textIn(record.tool) ?? '', textIn(record.detail) ?? ''];
  return [{ type: 'permission-asked', requestId, tool, detail, choices, ...at }];
}

function usageFacts(record: JsonObject, at: At): readonly StatusFact[] {
  const usedTokens = numberIn(record.inputTokens);
  if (usedTokens === undefined) return [];
  return [
    { type: 'answered', ...at },
    { type: 'usage', usedTokens, ...counted('windowTokens', record.window), ...at },
  ];
}

function limitFacts(record: JsonObject, at: At): readonly StatusFact[] {
  const detail = textIn(record.detail) ?? '';
  const limit: AgentLimit =
    record.kind === 'usage-limit' ? { kind: 'usage-limit', ...counted('until', record.until) } : { kind: 'network' };
  return [{ type: 'limit', limit, detail, ...at }];
}

function settingFacts(record: JsonObject, at: At): readonly StatusFact[] {
  const [model, permissionMode] = [textIn(record.model), textIn(record.permissions)];
  if (model === undefined || permissionMode === undefined) return [];
  return [{ type: 'settings', settings: { model, permissionMode }, ...at }];
}

function counted<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: number } {
  const count = numberIn(value);
  return (count === undefined ? {} : { [name]: count }) as { readonly [Key in Name]?: number };
}

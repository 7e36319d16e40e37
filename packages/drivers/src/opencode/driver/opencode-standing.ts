import type { AgentErrorKind, JsonObject } from '@devs/core';
import type { StatusFact } from '../../driving/standing-fact.js';
import { boundedMap } from '../../reading/bounded-map.js';
import { numberIn, objectIn, textIn } from '../../reading/json.js';

type At = { readonly at?: number };

/**
 * Status facts in the records of opencode's database. A record comes again whenever it changes, and is told once: when it is
 * finished.
 */
export function createOpencodeStanding(): (record: JsonObject) => readonly StatusFact[] {
  const told = boundedMap<string, true>(REMEMBERED);
  let usedTokens: number | undefined;
  return (record) => {
    const id = textIn(record.id);
    const message = objectIn(record.message);
    if (id === undefined || message === undefined || record.subAgent !== undefined || told.has(id)) return [];
    const part = objectIn(record.part);
    const facts =
      part !== undefined
        ? promptFacts(part, message)
        : message.role === 'user'
          ? settingFacts(message)
          : answerFacts(message, usedTokens);
    if (facts.length > 0) told.set(id, true);
    for (const fact of facts) if (fact.type === 'usage') usedTokens = fact.usedTokens;
    return facts;
  };
}

const REMEMBERED = 1_024;

const timeIn = (message: JsonObject, name: 'created' | 'completed'): At => {
  const at = numberIn(objectIn(message.time)?.[name]);
  return at === undefined ? {} : { at };
};

/** A prompt of ours has its id in the metadata of its text. */
function promptFacts(part: JsonObject, message: JsonObject): readonly StatusFact[] {
  const promptId = textIn(objectIn(objectIn(part.metadata)?.devs)?.promptId);
  if (message.role !== 'user' || promptId === undefined) return [];
  return [{ type: 'prompt-accepted', promptId, ...timeIn(message, 'created') }];
}

function settingFacts(message: JsonObject): readonly StatusFact[] {
  const model = objectIn(message.model);
  const [provider, name, agent] = [textIn(model?.providerID), textIn(model?.modelID), textIn(message.agent)];
  if (provider === undefined || name === undefined || agent === undefined) return [];
  return [
    {
      type: 'settings',
      settings: { model: `${provider}/${name}`, permissionMode: agent },
      ...timeIn(message, 'created'),
    },
  ];
}

/** One answer of the model: a turn has one more for each round of tools. */
function answerFacts(message: JsonObject, before: number | undefined): readonly StatusFact[] {
  const error = objectIn(message.error);
  const at = timeIn(message, 'completed');
  if (error !== undefined) return errorFacts(error, at);
  if (message.role !== 'assistant' || at.at === undefined) return [];
  const tokens = tokensOf(message);
  if (message.summary === true) {
    const tokensBefore = before === undefined ? {} : { tokensBefore: before };
    // What is kept is the summary; the next answer counts the instructions again.
    return [{ type: 'compacted', trigger: 'unknown', ...tokensBefore, tokensAfter: tokens.output, ...at }];
  }
  return [
    { type: 'answered', ...at },
    ...(tokens.total === 0 ? [] : [{ type: 'usage', usedTokens: tokens.total, ...at } as const]),
    ...(message.finish === 'tool-calls'
      ? []
      : [{ type: 'turn-ended', detail: 'its answer is complete', ...at } as const]),
  ];
}

function tokensOf(message: JsonObject): { readonly total: number; readonly output: number } {
  const tokens = objectIn(message.tokens);
  const cache = objectIn(tokens?.cache);
  const [input, read, write, output, reasoning] = [
    tokens?.input,
    cache?.read,
    cache?.write,
    tokens?.output,
    tokens?.reasoning,
  ].map((value) => numberIn(value) ?? 0) as [number, number, number, number, number];
  return { total: numberIn(tokens?.total) ?? input + read + write + output + reasoning, output };
}

/** An interrupt is told by the neutral events. */
export function errorFacts(error: JsonObject, at: At): readonly StatusFact[] {
  const name = textIn(error.name) ?? '';
  if (name === 'MessageAbortedError') return [];
  const data = objectIn(error.data) ?? {};
  const detail = (textIn(data.message) ?? (name || 'an error')).slice(0, 500);
  const kind = errorKind(name, numberIn(data.statusCode), detail);
  const ended = { type: 'turn-ended', detail: 'it ended with an error', ...at } as const;
  const reported = { type: 'error', kind, detail, ...at } as const;
  if (kind === 'quota') return [reported, ended, { type: 'limit', limit: { kind: 'usage-limit' }, detail, ...at }];
  if (kind === 'overload') return [reported, ended, { type: 'limit', limit: { kind: 'network' }, detail, ...at }];
  return [reported, { ...ended, error: detail }];
}

/** By its name, the answer of the provider, and only then by its words. */
function errorKind(name: string, status: number | undefined, detail: string): AgentErrorKind {
  if (name === 'ProviderAuthError' || status === 401 || status === 403) return 'login';
  if (name === 'ContextOverflowError') return 'overflow';
  if (name === 'ContentFilterError') return 'policy';
  if (status === 404 || /model not found|unknown model|no such model/i.test(detail)) return 'model';
  if (status === 402 || status === 429) return 'quota';
  if (status !== undefined && status >= 500) return 'overload';
  return 'other';
}

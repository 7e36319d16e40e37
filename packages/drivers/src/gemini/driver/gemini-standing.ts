import { hash } from 'node:crypto';
import type { AgentErrorKind, JsonObject } from '@devs/core';
import { type StatusFact, timeOf } from '../../driving/standing-fact.js';
import { boundedMap } from '../../reading/bounded-map.js';
import { listIn, numberIn, objectIn, textIn } from '../../reading/json.js';

/** Status facts in the records of a chat file that the neutral events leave out. It writes its history again, which is told once. */
export function createGeminiStanding(onModel: (model: string) => void): (record: JsonObject) => readonly StatusFact[] {
  const told = boundedMap<string, true>(REMEMBERED);
  const isNew = (key: string) => {
    if (told.has(key)) return false;
    told.set(key, true);
    return true;
  };
  return (record) => {
    const id = textIn(record.id) ?? '';
    const at = timeOf(record.timestamp);
    if (record.type === 'gemini') {
      const model = textIn(record.model);
      if (model !== undefined) onModel(model);
      return isNew(`answer ${id}`) ? answerFacts(record, at) : [];
    }
    if (record.type === 'error') return isNew(`error ${id}`) ? errorFacts(textIn(record.content) ?? '', at) : [];
    const summary = listIn(objectIn(record.$set)?.messages).flatMap((one) => summaryIn(objectIn(one)))[0];
    return summary !== undefined && isNew(`summary ${hash('sha1', summary)}`)
      ? [{ type: 'compacted', trigger: 'unknown' }]
      : [];
  };
}

const REMEMBERED = 4_096;

export const isTellingForGemini = (line: string): boolean =>
  line.includes('"type":"gemini"') || line.includes('"type":"error"') || line.includes('<state_snapshot>');

/** The last input is the context; a call of a tool is written again, without a number. */
function answerFacts(record: JsonObject, at: { readonly at?: number }): readonly StatusFact[] {
  const tokens = objectIn(record.tokens);
  const usedTokens = numberIn(tokens?.total) ?? numberIn(tokens?.input);
  if (usedTokens === undefined) return [];
  return [
    { type: 'answered', ...at },
    { type: 'usage', usedTokens, ...at },
  ];
}

const summaryIn = (message: JsonObject | undefined): readonly string[] => {
  const texts = listIn(message?.content).flatMap((part) => textIn(objectIn(part)?.text) ?? []);
  return texts.filter((text) => text.startsWith('<state_snapshot>'));
};

/** `[API Error: …]`, as it stands on the screen. */
function errorFacts(text: string, at: { readonly at?: number }): readonly StatusFact[] {
  const detail = text.replace(/^\[API Error: ([\s\S]*)\]$/, '$1').slice(0, 500);
  const kind = errorKind(detail);
  const reported = { type: 'error', kind, detail, ...at } as const;
  const ended = { type: 'turn-ended', detail: 'it ended with an error', ...at } as const;
  if (kind === 'quota') return [reported, ended, { type: 'limit', limit: { kind: 'usage-limit' }, detail, ...at }];
  if (kind === 'overload') return [reported, ended, { type: 'limit', limit: { kind: 'network' }, detail, ...at }];
  return [reported, { ...ended, error: detail }];
}

/** By the status that the provider named, and only then by words. */
function errorKind(detail: string): AgentErrorKind {
  if (/UNAUTHENTICATED|PERMISSION_DENIED|API key|\b40[13]\b/i.test(detail)) return 'login';
  if (/NOT_FOUND|\b404\b/.test(detail)) return 'model';
  if (/RESOURCE_EXHAUSTED|quota|\b429\b/i.test(detail)) return 'quota';
  if (/exceeds the maximum number of tokens/i.test(detail)) return 'overflow';
  if (/UNAVAILABLE|INTERNAL|overloaded|fetch failed|\b50\d\b/i.test(detail)) return 'overload';
  return /SAFETY|PROHIBITED_CONTENT|blocked/.test(detail) ? 'policy' : 'other';
}

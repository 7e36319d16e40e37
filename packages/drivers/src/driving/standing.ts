import type { AgentLimit, AgentSettings } from '@devs/core';
import type { StatusFact } from './standing-fact.js';

/** Status of one conversation, folded from its transcript. */
export interface Standing {
  readonly activity?: { readonly says: 'busy' | 'idle'; readonly detail: string; readonly at?: number };
  readonly usage?: { readonly usedTokens: number; readonly windowTokens?: number; readonly at?: number };
  /** As the agent says it, apart from a measurement. */
  readonly windowTokens?: number;
  readonly turnsEnded: number;
  readonly compactions: readonly Extract<StatusFact, { type: 'compacted' }>[];
  readonly limit?: { readonly limit: AgentLimit; readonly detail: string; readonly at?: number };
  /** As the conversation began, and now. */
  readonly firstSettings: AgentSettings;
  readonly settings: AgentSettings;
  /** Which of them were ever another than at the beginning. */
  readonly changed: ReadonlySet<string>;
  /** Why the last turn got no answer; until the next one begins. */
  readonly error?: string;
  readonly openCalls: ReadonlyMap<string, OpenCall>;
  /** Commands running in the background, by call. */
  readonly shells: ReadonlySet<string>;
  readonly subAgents: number;
}

interface OpenCall {
  readonly tool: string;
  readonly detail: string;
  readonly at?: number;
}

export const NO_STANDING: Standing = {
  turnsEnded: 0,
  compactions: [],
  firstSettings: {},
  settings: {},
  changed: new Set(),
  openCalls: new Map(),
  shells: new Set(),
  subAgents: 0,
};

/** Facts of the process, independent of its open conversation: a limit, its window, and settings changed by hand. */
export function inAnotherConversation({ limit, firstSettings, settings, changed, windowTokens }: Standing): Standing {
  return {
    ...NO_STANDING,
    firstSettings,
    settings,
    changed,
    ...(limit === undefined ? {} : { limit }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  };
}

/** Pure: the status after one more fact. */
export function addStanding(standing: Standing, fact: StatusFact): Standing {
  const at = fact.at === undefined ? {} : { at: fact.at };
  switch (fact.type) {
    case 'turn-began':
      return { ...withoutError(standing), activity: { says: 'busy', detail: fact.detail, ...at } };
    case 'turn-ended':
      return withTurnEnded(standing, fact);
    case 'usage': {
      const windowTokens = fact.windowTokens ?? standing.usage?.windowTokens;
      const window = windowTokens === undefined ? {} : { windowTokens };
      return { ...standing, usage: { usedTokens: fact.usedTokens, ...window, ...at } };
    }
    case 'window':
      return fact.windowTokens === 0 ? standing : { ...standing, windowTokens: fact.windowTokens };
    case 'answered': {
      const { limit: _, ...rest } = withoutError(standing);
      return rest;
    }
    case 'compacted': {
      const compacted = { ...standing, compactions: [...standing.compactions, fact] };
      if (fact.tokensAfter === undefined) return compacted;
      return addStanding(compacted, { type: 'usage', usedTokens: fact.tokensAfter, ...at });
    }
    case 'limit':
      return { ...standing, limit: { limit: fact.limit, detail: fact.detail, ...at } };
    case 'settings':
      return withSettings(standing, fact.settings);
    case 'called':
      return {
        ...standing,
        openCalls: added(standing.openCalls, fact.callId, { tool: fact.tool, detail: fact.detail, ...at }),
      };
    case 'call-answered':
      return {
        ...standing,
        openCalls: removed(standing.openCalls, fact.callId),
        // A refused command does not run in the background either.
        shells: fact.refused ? without(standing.shells, fact.callId) : standing.shells,
      };
    case 'protocol':
    case 'prompt-accepted':
    case 'permission-asked':
    case 'permission-settled':
    case 'interrupted':
    case 'cost':
    case 'error':
      return standing; // reported at once, not kept
    case 'background-began':
      return { ...standing, shells: new Set([...standing.shells, fact.callId].slice(-MAX_KEPT)) };
    case 'background-ended':
      return standing.shells.has(fact.callId)
        ? { ...standing, shells: without(standing.shells, fact.callId) }
        : { ...standing, subAgents: Math.max(0, standing.subAgents - 1) };
  }
}

type TurnEnded = Extract<StatusFact, { type: 'turn-ended' }>;

const withTurnEnded = (standing: Standing, { detail, at, subAgents, error }: TurnEnded): Standing => ({
  ...standing,
  activity: { says: 'idle', detail, ...(at === undefined ? {} : { at }) },
  turnsEnded: standing.turnsEnded + 1,
  openCalls: new Map(),
  subAgents: subAgents ?? standing.subAgents,
  ...(error === undefined ? {} : { error }),
});

function withSettings(standing: Standing, said: AgentSettings): Standing {
  const firstSettings = { ...said, ...standing.firstSettings };
  const settings = { ...standing.settings, ...said };
  const changed = Object.entries(settings).flatMap(([name, value]) =>
    firstSettings[name as keyof AgentSettings] === value ? [] : [name],
  );
  return { ...standing, firstSettings, settings, changed: new Set([...standing.changed, ...changed]) };
}

/**
 * Settings that the user changed by hand since the conversation began, with current values. Includes reverted ones: a
 * listener would otherwise keep the change, and a more permissive mode would outlive the user's wish (H18).
 */
export const changedSettings = ({ settings, changed }: Standing): AgentSettings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => changed.has(name)));

function withoutError(standing: Standing): Standing {
  if (standing.error === undefined) return standing;
  const { error: _, ...rest } = standing;
  return rest;
}

/** Calls that are never answered must not fill the memory over days. */
const MAX_KEPT = 256;

function added<Value>(map: ReadonlyMap<string, Value>, key: string, value: Value): ReadonlyMap<string, Value> {
  return new Map([...map, [key, value] as const].slice(-MAX_KEPT));
}

function removed<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return map.has(key) ? new Map([...map].filter(([name]) => name !== key)) : map;
}

const without = (set: ReadonlySet<string>, value: string): ReadonlySet<string> =>
  set.has(value) ? new Set([...set].filter((kept) => kept !== value)) : set;

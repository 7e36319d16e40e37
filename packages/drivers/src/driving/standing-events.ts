import type { AgentEvent, WindowSource } from '@devs/core';
import { changedSettings, type Standing } from './standing.js';

export interface Told {
  readonly conversationId: string;
  readonly window: { readonly windowTokens: number; readonly source: WindowSource };
  /** Start of the watch: older events are past. */
  readonly begunAt: number;
  readonly now: number;
}

/** Pure: the events for a conversation whose status changed from `before` to `after`. */
export function standingEvents(before: Standing, after: Standing, told: Told): readonly AgentEvent[] {
  return [
    ...compactionEvents(before, after, told),
    ...usageEvents(before, after, told),
    ...limitEvents(before, after, told),
    ...settingsEvents(before, after, told),
    ...turnEvents(before, after, told),
  ];
}

export const stamp = (at: number | undefined, { begunAt, now }: Pick<Told, 'begunAt' | 'now'>) => ({
  at: at ?? now,
  isPast: at !== undefined && at < begunAt,
});

type Tell = (before: Standing, after: Standing, told: Told) => readonly AgentEvent[];

const compactionEvents: Tell = (before, after, told) =>
  after.compactions.slice(before.compactions.length).map(({ type: _, at, ...compaction }) => ({
    type: 'compaction.seen',
    conversationId: told.conversationId,
    ...compaction,
    ...stamp(at, told),
  }));

const usageEvents: Tell = (before, after, told) => {
  const { conversationId, window } = told;
  const isSame = after.usage?.usedTokens === before.usage?.usedTokens && after.windowTokens === before.windowTokens;
  if (after.usage === undefined || isSame) return [];
  const usage = { usedTokens: after.usage.usedTokens, windowTokens: window.windowTokens };
  const measured = { conversationId, usage, window: window.source, ...stamp(after.usage.at, told) };
  return [{ type: 'usage.measured', ...measured }];
};

const limitEvents: Tell = (before, after, told) => {
  if (after.limit === before.limit) return [];
  if (after.limit === undefined) return [{ type: 'limit.passed', ...stamp(undefined, told) }];
  const { limit, detail, at } = after.limit;
  return [{ type: 'limit.reached', limit, detail, ...stamp(at, told) }];
};

const settingsEvents: Tell = (before, after, told) => {
  const settings = changedSettings(after);
  if (JSON.stringify(settings) === JSON.stringify(changedSettings(before))) return [];
  return [{ type: 'settings.changed', settings, ...stamp(undefined, told) }];
};

const turnEvents: Tell = (before, after, told) => {
  const { activity } = after;
  if (activity === undefined || activity === before.activity) return [];
  const { says, detail, at } = activity;
  const seen: AgentEvent = { type: 'signal.seen', source: 'transcript', says, detail, at: at ?? told.now };
  if (says !== 'idle' || after.turnsEnded === before.turnsEnded) return [seen];
  const error = after.error === undefined ? {} : { error: after.error };
  return [seen, { type: 'turn.ended', conversationId: told.conversationId, ...error, ...stamp(at, told) }];
};

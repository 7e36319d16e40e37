import type { JsonObject } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { claudeStanding, isTellingForClaude } from '../claude-standing.js';

const AT = { timestamp: '2026-11-16T04:12:48.000Z' };
const at = Date.parse(AT.timestamp);
const message = (usage: JsonObject, model = 'claude-opus-5-5') => ({
  type: 'assistant',
  ...AT,
  message: { model, usage },
});
const error = (text: string, rest: JsonObject = {}) => ({
  ...message({ input_tokens: 0, output_tokens: 0 }, '<synthetic>'),
  message: { model: '<synthetic>', usage: { input_tokens: 0 }, content: [{ type: 'text', text }] },
  isApiErrorMessage: true,
  ...rest,
});

describe('a record of Claude Code', () => {
  it('[H14] is the context of this call, with its cached part and the answer', () => {
    const usage = {
      input_tokens: 3_000,
      cache_creation_input_tokens: 3_000,
      cache_read_input_tokens: 24_000,
      output_tokens: 25,
    };

    expect(claudeStanding(message(usage))).toEqual([
      { type: 'answered', at },
      { type: 'settings', settings: { model: 'claude-opus-5-5' }, at },
      { type: 'usage', usedTokens: 30_025, at },
    ]);
    expect(claudeStanding({ ...message(usage), isSidechain: true })).toEqual([]);
  });

  it('is the end of a turn, with agents still running', () => {
    const ended = { type: 'system', subtype: 'turn_duration', ...AT };

    expect(claudeStanding(ended)).toMatchObject([{ type: 'turn-ended', subAgents: 0 }]);
    expect(claudeStanding({ ...ended, pendingBackgroundAgentCount: 2 })).toMatchObject([{ subAgents: 2 }]);
  });

  it('is a compaction with the remaining size', () => {
    const compactMetadata = { trigger: 'manual', preTokens: 51_192, postTokens: 2_924 };

    expect(claudeStanding({ type: 'system', subtype: 'compact_boundary', compactMetadata, ...AT })).toEqual([
      { type: 'compacted', trigger: 'manual', tokensBefore: 51_192, tokensAfter: 2_924, at },
    ]);
  });

  it('is the permission mode and the effort in force', () => {
    const request = {
      type: 'api-request',
      querySource: 'repl_main_thread',
      params: { output_config: { effort: 'high' } },
    };

    expect(claudeStanding({ type: 'permission-mode', permissionMode: 'plan' })).toEqual([
      { type: 'settings', settings: { permissionMode: 'plan' } },
    ]);
    expect(claudeStanding(request)).toEqual([{ type: 'settings', settings: { effort: 'high' } }]);
    expect(claudeStanding({ ...request, querySource: 'title' })).toEqual([]);
  });

  it.each([
    {
      record: error('API Error: Request rejected (429)', { error: 'rate_limit', apiErrorStatus: 429 }),
      limit: { kind: 'usage-limit' },
    },
    {
      record: error("You've hit your session limit · resets 6am (UTC)", { error: 'rate_limit' }),
      limit: { kind: 'usage-limit', until: Date.parse('2026-11-16T06:00:00Z') },
    },
    {
      record: error("You've hit your limit", { error: 'rate_limit', quotaLimits: [{ resetsAt: 1_794_900_000 }] }),
      limit: { kind: 'usage-limit', until: 1_794_900_000_000 },
    },
    {
      record: error('API Error: 529 overloaded', { apiErrorStatus: 529, error: 'server_error' }),
      limit: { kind: 'network' },
    },
    { record: error('API Error: Unable to connect to API (ECONNREFUSED)'), limit: { kind: 'network' } },
    { record: error('Prompt is too long', { apiErrorStatus: 400 }), limit: undefined },
    { record: error('Invalid API key', { apiErrorStatus: 401 }), limit: undefined },
  ])('is a limit or not: $record.message.content.0.text', ({ record, limit }) => {
    const [ended, told] = claudeStanding(record);

    expect(ended).toMatchObject({ type: 'turn-ended' });
    expect(told).toEqual(limit === undefined ? undefined : expect.objectContaining({ type: 'limit', limit }));
  });

  it('is looked for in few lines only', () => {
    expect(isTellingForClaude('{"type":"system","subtype":"turn_duration"}')).toBe(true);
    expect(isTellingForClaude('{"type":"attachment","attachment":{"type":"skill_listing"}}')).toBe(false);
  });
});

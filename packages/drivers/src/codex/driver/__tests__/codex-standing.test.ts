import type { JsonObject } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { codexStanding, isTellingForCodex } from '../codex-standing.js';

const timestamp = '2026-11-16T04:17:35.000Z';
const at = Date.parse(timestamp);
const event = (payload: JsonObject) => ({ timestamp, type: 'event_msg', payload });

describe('a record of Codex', () => {
  it('[H14] is the context of the last call, not the total of the thread', () => {
    const info = {
      total_token_usage: { total_tokens: 240_236 },
      last_token_usage: { total_tokens: 50_025 },
      model_context_window: 190_000,
    };

    expect(codexStanding(event({ type: 'token_count', info }))).toEqual([
      { type: 'usage', usedTokens: 50_025, windowTokens: 190_000, at },
    ]);
    expect(codexStanding(event({ type: 'token_count', info: null, rate_limits: {} }))).toEqual([]);
  });

  it('is the beginning and the end of a turn', () => {
    expect(codexStanding(event({ type: 'task_started' }))).toMatchObject([{ type: 'turn-began' }]);
    expect(codexStanding(event({ type: 'task_complete' }))).toMatchObject([
      { type: 'turn-ended' },
      { type: 'answered' },
    ]);
    expect(codexStanding(event({ type: 'turn_aborted', reason: 'interrupted' }))).toMatchObject([
      { type: 'turn-ended' },
    ]);
  });

  it('is a compaction', () => {
    expect(codexStanding({ timestamp, type: 'compacted', payload: { message: 'x' } })).toEqual([
      { type: 'compacted', trigger: 'unknown', at },
    ]);
  });

  it("is the agent's permissions", () => {
    const payload = {
      model: 'gpt',
      effort: 'high',
      approval_policy: 'on-request',
      sandbox_policy: { type: 'read-only' },
    };

    expect(codexStanding({ timestamp, type: 'turn_context', payload })).toEqual([
      { type: 'settings', settings: { model: 'gpt', effort: 'high', permissionMode: 'on-request/read-only' }, at },
    ]);
  });

  it.each([
    {
      error: { message: 'You’ve hit your usage limit. Try again later.', codex_error_info: 'usage_limit_exceeded' },
      limit: { kind: 'usage-limit' },
    },
    {
      error: { message: 'usage limit. Try again in 1 hour.', codex_error_info: 'usage_limit_exceeded' },
      limit: { kind: 'usage-limit', until: at + 3_600_000 },
    },
    { error: { message: 'gone', codex_error_info: { response_stream_disconnected: {} } }, limit: { kind: 'network' } },
    { error: { message: 'bad request', codex_error_info: 'bad_request' }, limit: undefined },
  ])('is a limit or not: $error.message', ({ error, limit }) => {
    const [, told] = codexStanding(event({ type: 'task_complete', error }));

    expect(told).toEqual(limit === undefined ? undefined : expect.objectContaining({ type: 'limit', limit }));
  });

  it('is looked for in few lines only', () => {
    expect(isTellingForCodex(JSON.stringify(event({ type: 'task_complete' })))).toBe(true);
    expect(
      isTellingForCodex(JSON.stringify({ timestamp, type: 'response_item', payload: { text: 'x'.repeat(500) } })),
    ).toBe(false);
  });
});

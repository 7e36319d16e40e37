import { describe, expect, it } from 'vitest';
import { claudeStanding } from '../../claude-code/driver/claude-standing.js';
import { codexStanding } from '../../codex/driver/codex-standing.js';

const claude = (text: string, rest: object) =>
  claudeStanding({
    type: 'assistant',
    isApiErrorMessage: true,
    message: { model: '<synthetic>', content: [{ type: 'text', text }] },
    ...rest,
  });
const codex = (message: string, info: string) =>
  codexStanding({ type: 'event_msg', payload: { type: 'task_complete', error: { message, codex_error_info: info } } });

describe('a turn that ended with an error', () => {
  it.each([
    ['Claude Code', claude('Credit balance is too low', { apiErrorStatus: 400 }), 'Credit balance is too low'],
    ['Claude Code', claude('Please run /login', { apiErrorStatus: 401 }), 'Please run /login'],
    ['Codex', codex('unexpected status 401 Unauthorized', 'unauthorized'), 'unexpected status 401 Unauthorized'],
  ])('says so where it will not pass by itself: %s', (_, facts, error) => {
    expect(facts).toMatchObject([{ type: 'turn-ended', error }]);
  });

  it.each([
    ['Claude Code', claude('Overloaded', { apiErrorStatus: 529 })],
    ['Codex', codex('stream disconnected', 'response_stream_disconnected')],
  ])('is a limit where it will: %s', (_, facts) => {
    expect(facts).toMatchObject([{ type: 'turn-ended' }, { type: 'limit' }]);
    expect(facts[0]).not.toHaveProperty('error');
  });
});

import type { TerminalNotice } from '@devs/supervisor';
import { describe, expect, it } from 'vitest';
import { titleWord } from '../../session/title-word.js';
import { describeNotice } from '../describe-notice.js';

const calendar = { now: 0, timeZone: 'UTC' };
const told = (notice: TerminalNotice) => describeNotice(notice, 'Ctrl-]', calendar);

describe('a notice', () => {
  it.each<[TerminalNotice, string, string]>([
    [{ kind: 'waiting', detail: 'permission\u001b]0;x\u0007' }, 'user', 'waits for you: permission␛]0;x␇'],
    [{ kind: 'escalated', why: 'it crashed 6 times in a row' }, 'user', 'needs you: it crashed 6 times in a row'],
    [
      { kind: 'parked', until: 3_600_000, why: 'usage-limit' },
      'user',
      'waits for the provider until 1970-01-01 01:00:00: usage-limit',
    ],
    [{ kind: 'done', exitCode: 0 }, 'user', 'has ended with exit code 0'],
    [{ kind: 'pressure', mark: 'soft', pressure: 0.52 }, 'terminal', '52 % of its context is full'],
    [{ kind: 'pressure', mark: 'firm', pressure: 0.7 }, 'terminal', '70 % of its context is full: Ctrl-] r renews it'],
    [{ kind: 'trouble', detail: 'x' }, 'nobody', 'trouble'],
  ])('of %j is for %s', (notice, audience, text) => {
    expect(told(notice)).toEqual({ audience, text });
  });
});

describe('the title', () => {
  const prefix = { code: 0x5d, label: 'Ctrl-]' };
  const status = {
    name: 'shop',
    agent: 'claude',
    folder: '/',
    isAttended: true,
    pressure: 0,
    mark: 'low',
    renewal: 'idle',
    contextRefreshState: null,
    contextRefreshCount: 0,
    notes: [],
  } as const;

  it.each([
    [status, ''],
    [{ ...status, pressure: 0.516, mark: 'soft' } as const, '52%'],
    [{ ...status, pressure: 0.7, mark: 'firm' } as const, '70%, Ctrl-] r renews'],
    [{ ...status, pressure: 0.7, contextRefreshState: 'committing' } as const, 'renewing'],
    [undefined, ''],
  ])('of %j says %j', (given, word) => {
    expect(titleWord(given, prefix)).toBe(word);
  });
});

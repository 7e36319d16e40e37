import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import type { TerminalNews, TerminalNotice } from '@devs/supervisor';
import { describe, expect, it, onTestFinished } from 'vitest';
import { titleWord } from '../../session/describe-window.js';
import { followTerminal } from '../../session/follow-terminal.js';
import type { TerminalDeps } from '../../terminal-world.js';
import { describeNotice } from '../describe-notice.js';
import { createNoticeBoard } from '../notice-board.js';

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
    [{ kind: 'pressure', mark: 'soft', pressure: 0.52 }, 'terminal', 'has filled 52 % of its context'],
    [
      { kind: 'pressure', mark: 'firm', pressure: 0.7 },
      'terminal',
      'has filled 70 % of its context; Ctrl-] r renews it',
    ],
    [{ kind: 'done', exitCode: 0, signal: 9 }, 'user', 'was ended by SIGKILL'],
    [
      { kind: 'left-to-agent', why: 'renewed 10 times in a row' },
      'user',
      'is not renewed (renewed 10 times in a row): its own compaction takes over',
    ],
    [{ kind: 'trouble', detail: 'the store is full' }, 'user', 'has a problem: the store is full'],
    [
      { kind: 'prompt-unconfirmed', text: 'Run the tests', reason: 'the supervisor died meanwhile' },
      'user',
      'may not have received its prompt (the supervisor died meanwhile): Run the tests',
    ],
    [
      { kind: 'context-action-abandoned', reason: 'the user is here' },
      'user',
      'did not compact or clear its context: the user is here',
    ],
    [{ kind: 'lost', why: 'x' }, 'nobody', 'is not supervised here any more: x'],
  ])('of %j is for %s', (notice, audience, text) => {
    expect(told(notice)).toEqual({ audience, text });
  });
});

describe('the program of the user', () => {
  const WAITS: TerminalNotice = { kind: 'waiting', detail: 'permission' };

  it('runs for a terminal of the user, and is left to the supervisor for the terminal of a run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-notices-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const command = ['sh', '-c', 'echo "$DEVS_NOTICE $DEVS_TERMINAL" >> told.txt', 'sh'];
    const board = createNoticeBoard(
      { clock: { now: () => 0 }, timeZone: 'UTC', env: process.env },
      { notices: { bell: false, command }, terminals: { prefixKey: 'none', title: true } },
      { name: 'shop', folder },
      () => undefined,
    );
    board.take(WAITS, 'run-1');
    board.take(WAITS);
    const told = () => readFileSync(join(folder, 'told.txt'), { encoding: 'utf8', flag: 'a+' });
    await until(() => told().includes('\n'));
    expect(told()).toBe('waiting shop\n');
  });

  it.each([
    [true, ['before', 'after']],
    [false, ['after']],
  ])('hears of the past only in the first window: %s', async (isFirst, heard) => {
    const notice = (number: number, detail: string) => ({ number, notice: { kind: 'trouble' as const, detail } });
    const news = (revision: number, ...notices: TerminalNews['notices']): TerminalNews => ({
      ...{ revision, name: 'shop', notices, isOver: revision === 2, isLeft: false },
    });
    const answers = [news(1, notice(1, 'before')), news(2, notice(1, 'before'), notice(2, 'after'))];
    const supervisor = { use: async () => answers.shift() };
    const told: string[] = [];
    const followed = followTerminal({ supervisor } as unknown as TerminalDeps, {
      ...{ name: 'shop', window: 'w', isFirst, onChange() {}, onSaid() {} },
      onNotice: (given) => void told.push(given.kind === 'trouble' ? given.detail : given.kind),
    });
    await followed.over;
    expect(told).toEqual(heard);
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
    isReplacing: false,
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

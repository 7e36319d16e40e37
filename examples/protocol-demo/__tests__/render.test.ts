import { plainPalette } from '@devs/cli/screen/palette';
import { validEnvelope } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { renderReport } from '../render-report.js';
import { renderTurn } from '../render-turn.js';
import type { ShowEvent } from '../show-event.js';
import { totalsOf } from '../totals.js';
import { foldAccounts, type TurnAccount } from '../turn-account.js';

const screen = { columns: 80, palette: plainPalette };
const cost = { calls: 2, inputTokens: 1200, outputTokens: 34, estimated: true };

const EVENTS: readonly ShowEvent[] = [
  { type: 'turn.started', turn: 2, title: 'Cut off' },
  { type: 'model.asked', turn: 2, prompt: 'Write it.' },
  { type: 'model.answered', turn: 2, text: '{"a": "b', stopReason: 'max_tokens' },
  { type: 'protocol.logged', turn: 2, log: { event: 'PARTIAL_COMPLETION_DETECTED', lastValidToken: '{"a":' } },
  { type: 'model.asked', turn: 2, prompt: 'Go on:\n{"a":' },
  { type: 'model.answered', turn: 2, text: '"bc"}' },
  { type: 'protocol.logged', turn: 2, log: { event: 'RESUME_TRIED', shownChars: 5, outcome: 'completed' } },
  { type: 'protocol.logged', turn: 2, log: { event: 'RESUME_SUCCEEDED' } },
  { type: 'turn.ended', turn: 2, ending: { state: 'COMPLETED', envelope: validEnvelope(), cost } },
  { type: 'turn.checked', turn: 2, problems: [] },
];

const accounts = (events = EVENTS) => events.reduce<readonly TurnAccount[]>(foldAccounts, []);

const render = (events = EVENTS) => accounts(events).flatMap((account) => renderTurn(account, screen));

describe('the account of a turn', () => {
  it('shows questions, answers, log entries and results', () => {
    expect(render()).toEqual([
      `── Turn 2 · Cut off ${'─'.repeat(60)}`,
      '  devs asks  Write it.',
      '  model      {"a": "b▌',
      '             (cut off after 8 characters, stop reason max_tokens)',
      '  devs sees  Cut off. Whole up to {"a":',
      '  devs asks  Go on:↵{"a":',
      '  model      "bc"}',
      '             (all of 5 characters, no stop reason given)',
      '  devs sees  Fits behind the 5 characters shown: the answer is whole.',
      '  action     write_file(path: "src/parser.test.ts", content: "it(\'keeps it\', ()',
      '             => {});\\n")',
      '  cost       2 model calls, about 1,200 tokens in, 34 out',
      '  checked    equal, value for value, to what the model meant to say',
      '',
    ]);
  });

  it('names mistakes', () => {
    const lines = render([...EVENTS, { type: 'turn.checked', turn: 2, problems: ['another value'] }]);

    expect(lines).toContain('  WRONG      another value');
    expect(lines.join('\n')).not.toContain('value for value');
  });

  it('shows an unanswered question and the error', () => {
    const lines = render([
      ...EVENTS.slice(0, 2),
      { type: 'turn.ended', turn: 2, ending: { state: 'REJECTED', error: 'no line\u001b[2J' } },
    ]);

    expect(lines).toContain('  model      (did not answer)');
    expect(lines).toContain('  error      no line␛[2J');
  });
});

describe('the report', () => {
  it('adds up the turns', () => {
    const totals = totalsOf(accounts());

    expect(totals).toEqual({
      turns: 1,
      straight: 0,
      resumed: 1,
      corrected: 0,
      escalated: 0,
      rejected: 0,
      reinjectedOn: [],
      ...cost,
    });
    expect(renderReport(accounts(), { totals, problems: [] }, screen)).toContain(
      '     2  resumed        2   1,234  Cut off',
    );
  });

  it('does not hide a problem', () => {
    const result = { totals: totalsOf([]), problems: ['turn 3: another value'] };

    expect(renderReport([], result, screen)).toContain('  Checked, and wrong: turn 3: another value.');
  });
});

import { describe, expect, it } from 'vitest';
import {
  decideTyping,
  type InputPatterns,
  readInput,
  type ScreenView,
  TYPING_POLICY,
  type TypingObservation,
  type TypingPhase,
} from '../index.js';

const seen = (changes: Partial<TypingObservation> = {}): TypingObservation => ({
  at: 0,
  exited: false,
  prompt: 'drawn',
  draft: 'empty',
  dialog: false,
  busy: false,
  bracketedPaste: true,
  delivered: false,
  ...changes,
});
const decide = (phase: TypingPhase, changes: Partial<TypingObservation>, text = 'hello') =>
  decideTyping(phase, seen(changes), { text, policy: TYPING_POLICY });

const waiting: TypingPhase = { kind: 'awaiting-prompt', since: 0 };
const echo = (pastes = 1): TypingPhase => ({ kind: 'awaiting-echo', since: 0, pastes });
const delivery = (enters = 1): TypingPhase => ({ kind: 'awaiting-delivery', since: 0, enters });

describe('before anything is typed', () => {
  it.each([
    { name: 'a prompt that is not drawn', changes: { prompt: 'hidden' }, outcome: undefined },
    {
      name: 'one that is not drawn in time',
      changes: { prompt: 'hidden', at: 30_000 },
      outcome: { kind: 'refused', reason: 'prompt-not-drawn' },
    },
    { name: '[H20] a dialog', changes: { dialog: true }, outcome: { kind: 'refused', reason: 'dialog' } },
    {
      name: "[H17] somebody's draft",
      changes: { draft: 'other', at: 400 },
      outcome: { kind: 'refused', reason: 'draft' },
    },
    { name: '[H2] an agent at work', changes: { busy: true }, outcome: { kind: 'refused', reason: 'busy' } },
    { name: 'an exit', changes: { exited: true }, outcome: { kind: 'refused', reason: 'exited' } },
  ] as const)('$name is respected', ({ changes, outcome }) => {
    const step = decide(waiting, changes);
    expect(step.outcome).toEqual(outcome);
    expect(step.keys).toBeUndefined();
  });

  it('the text is pasted, typed where the program knows no paste, and refused where lines would be sent one by one', () => {
    expect(decide(waiting, {}).keys).toBe('paste');
    expect(decide(waiting, { bracketedPaste: false }).keys).toBe('type');
    expect(decide(waiting, { bracketedPaste: false }, 'two\nlines')).toEqual({ phase: waiting });
    expect(decide(waiting, { bracketedPaste: false, at: 30_000 }, 'two\nlines').outcome).toEqual({
      kind: 'refused',
      reason: 'needs-bracketed-paste',
    });
  });

  it('our own draft of an earlier try is only sent', () => {
    expect(decide(waiting, { draft: 'ours', at: 400 })).toEqual({
      phase: { kind: 'awaiting-delivery', since: 400, enters: 1 },
      keys: 'enter',
    });
  });

  it('the same words, sent a moment ago and still drawn, are pasted again when the screen has caught up', () => {
    expect(decide(waiting, { draft: 'ours', at: 7 })).toEqual({ phase: waiting });
    expect(decide(waiting, { at: 30 }).keys).toBe('paste');
  });
});

describe('when the text was pasted', () => {
  it('[H2] Enter waits until it is drawn', () => {
    expect(decide(echo(), { draft: 'empty' })).toEqual({ phase: echo() });
    expect(decide(echo(), { draft: 'ours', at: 9 })).toEqual({
      phase: { kind: 'awaiting-delivery', since: 9, enters: 1 },
      keys: 'enter',
    });
  });

  it('and was swallowed, it is pasted once more, then abandoned without an Enter', () => {
    expect(decide(echo(1), { at: 5_000 })).toEqual({
      phase: { kind: 'awaiting-echo', since: 5_000, pastes: 2 },
      keys: 'paste',
    });
    expect(decide(echo(2), { at: 5_000 }).outcome).toEqual({ kind: 'unconfirmed', reason: 'not-drawn', enters: 0 });
  });

  it('[H20] a dialog that comes up meanwhile gets no Enter', () => {
    expect(decide(echo(), { dialog: true, draft: 'ours' })).toMatchObject({ outcome: { reason: 'dialog' } });
    expect(decide(echo(), { dialog: true, draft: 'ours' }).keys).toBeUndefined();
  });
});

describe('when Enter was pressed', () => {
  it("only the agent's own records count", () => {
    expect(decide(delivery(), { draft: 'empty', busy: true })).toEqual({ phase: delivery() });
    expect(decide(delivery(), { delivered: true }).outcome).toEqual({ kind: 'delivered', enters: 1 });
  });

  it('it is pressed again while the text is still there, once', () => {
    expect(decide(delivery(1), { draft: 'ours', at: 10_000 })).toEqual({
      phase: { kind: 'awaiting-delivery', since: 10_000, enters: 2 },
      keys: 'enter',
    });
    expect(decide(delivery(2), { draft: 'ours', at: 10_000 }).outcome).toEqual({
      kind: 'unconfirmed',
      reason: 'not-confirmed',
      enters: 2,
    });
  });

  it('nothing is typed twice: a text that has gone may have been taken', () => {
    expect(decide(delivery(1), { draft: 'empty', at: 10_000 })).toEqual({
      phase: delivery(1),
      outcome: { kind: 'unconfirmed', reason: 'not-confirmed', enters: 1 },
    });
  });
});

describe('reading an input', () => {
  const view = (...lines: string[]): ScreenView => ({
    columns: 40,
    rows: lines,
    lines,
    cursor: { row: 0, column: 0 },
    title: '',
    bracketedPaste: true,
    alternateScreen: false,
  });
  const patterns: InputPatterns = {
    prompt: /^❯ ?/,
    promptEnd: /^─{3}/,
    placeholder: /^Try "/,
    pasted: /\[Pasted text #\d+/,
    dialog: /^Do you want to proceed/,
    busy: /^✻ \w+…/,
  };
  const read = (text: string, ...lines: string[]) => readInput(view(...lines), text, patterns);

  it.each([
    { lines: ['loading'], reading: { prompt: 'hidden', draft: 'empty' } },
    {
      lines: ['❯ earlier prompt', 'answer', '───', '❯', '───', 'footer'],
      reading: { prompt: 'drawn', draft: 'empty' },
    },
    { lines: ['❯ Try "fix the tests"', '───'], reading: { draft: 'empty' } },
    { lines: ['❯ fix the', '  tests', '───', 'footer'], reading: { draft: 'ours' } },
    { lines: ['❯ fix the docs', '───'], reading: { draft: 'other' } },
    { lines: ['✻ Working… (3s)', '❯', '───'], reading: { busy: true, dialog: false } },
    { lines: ['Do you want to proceed?', '❯ 1. Yes'], reading: { dialog: true } },
  ])('from $lines', ({ lines, reading }) => {
    expect(read('fix the tests', ...lines)).toMatchObject(reading);
  });

  it('recognises a long paste by its placeholder, and a long draft by its end', () => {
    expect(read('one\ntwo\nthree', '❯ [Pasted text #1 +3 lines]').draft).toBe('ours');
    expect(read('one line', '❯ [Pasted text #1 +3 lines]').draft).toBe('other');
    const long = Array.from({ length: 200 }, (_, word) => `word${word}`).join(' ');
    expect(read(long, `❯ ${long.slice(-120)}`).draft).toBe('ours');
    expect(read(long, `❯ ${long.slice(-10)}`).draft).toBe('other');
  });
});

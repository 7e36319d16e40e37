import { readInput, type ScreenView } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { isHome, OPENCODE_INPUT, readOpencodeScreen } from '../opencode-screen.js';

const screen = (...lines: readonly string[]): ScreenView => ({
  columns: 120,
  rows: lines,
  lines,
  cursor: { row: 0, column: 0 },
  title: 'OpenCode',
  bracketedPaste: true,
  alternateScreen: true,
});

/** As opencode 1.18.33 draws it. */
const box = (...draft: readonly string[]) => [
  '  ┃',
  ...draft.map((line) => `  ┃  ${line}`),
  '  ┃',
  '  ┃  Build · scripted-1 scripted',
  '  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀',
];
const CONVERSATION = [
  '  ┃',
  '  ┃  Hello there',
  '  ┃',
  '',
  '     All is well.',
  '',
  '     ▣  Build · scripted-1 · 33.2s',
  '',
];
const FOOTER = '   /project                                        7.8K (4%)  ctrl+p commands';

describe('the screen of opencode', () => {
  it('has an empty input below a conversation', () => {
    const view = screen(...CONVERSATION, ...box(''), FOOTER);
    expect(readInput(view, '', OPENCODE_INPUT)).toEqual({
      prompt: 'drawn',
      draft: 'empty',
      dialog: false,
      busy: false,
    });
    expect(readOpencodeScreen(view).says).toBe('not-busy');
    expect(isHome(view)).toBe(false);
  });

  it('has an empty input on its first screen', () => {
    const view = screen(...box('Ask anything… "Fix a bug"'));
    expect(readInput(view, '', OPENCODE_INPUT).draft).toBe('empty');
    expect(isHome(view)).toBe(true);
  });

  it('holds the draft of its user, of several lines', () => {
    const view = screen(...CONVERSATION, ...box('half a thought', 'and more'), FOOTER);
    expect(readInput(view, '', OPENCODE_INPUT).draft).toBe('other');
    expect(readInput(view, 'half a thought\nand more', OPENCODE_INPUT).draft).toBe('ours');
  });

  it('waits at a permission', () => {
    const view = screen(
      ...CONVERSATION,
      '  ┃',
      '  ┃  △ Permission required',
      '  ┃    ← Access external directory /etc',
    );
    expect(readOpencodeScreen(view)).toEqual({ says: 'waiting', detail: '△ Permission required' });
    expect(readInput(view, '', OPENCODE_INPUT).dialog).toBe(true);
  });

  it('works where its footer says how to interrupt it', () => {
    expect(readOpencodeScreen(screen(...box(''), '  ⬝⬝■■  esc interrupt')).says).toBe('busy');
  });
});

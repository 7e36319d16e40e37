import { readInput, type ScreenView } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { CODEX_INPUT, CODEX_REFUSAL, readCodexScreen, readCodexTitle } from '../codex-screen.js';

const screen = (...lines: string[]): ScreenView => ({
  columns: 120,
  rows: lines,
  lines,
  cursor: { row: 0, column: 0 },
  title: '',
  bracketedPaste: true,
  alternateScreen: true,
});
const FOOTER = ['', '  gpt-5.5-codex default · /tmp/w', '  ? for shortcuts            ⚠ 2 warnings · f2 to view'];
const composer = (draft: string, ...above: string[]) => screen(...above, `› ${draft}`, ...FOOTER);
const DIALOG = screen(
  '› do it',
  '  Would you like to run the following command?',
  '  $ touch qqq',
  '› 1. Yes, proceed (y)',
  '  2. No, and tell Codex what to do differently (esc)',
  '',
  '  Press enter to confirm or esc to cancel',
);
const CHOICE = screen(
  '  Where should the new conversation run?',
  '',
  '› 1. Use current Git worktree  Keep using the current working directory',
  '  2. Create new Git worktree   Create a separate checkout of this repository in another directory',
  '',
  '  enter select · esc back',
);

describe('the screen of Codex', () => {
  it.each([
    { name: 'the composer', view: composer('Ask Codex to do anything'), says: 'not-busy' },
    { name: 'work', view: composer('Ask Codex to do anything', '• Working (1s • esc to interrupt)', ''), says: 'busy' },
    { name: 'a turn that is over', view: composer('', '  Worked for 3s • 19:00', ''), says: 'not-busy' },
    { name: 'an approval', view: DIALOG, says: 'waiting' },
    { name: 'a choice', view: CHOICE, says: 'waiting' },
    { name: 'nothing yet', view: screen(''), says: 'unknown' },
  ])('says $says for $name', ({ view, says }) => {
    expect(readCodexScreen(view).says).toBe(says);
  });

  it('[H20] shows what it waits for, and refuses typing', () => {
    expect(readCodexScreen(DIALOG).detail).toContain('Would you like to run the following command?');
    expect(readInput(DIALOG, 'x', CODEX_INPUT).dialog).toBe(true);
  });

  it('shows that a command was refused, and is not taken in by an agent that talks about it', () => {
    expect(CODEX_REFUSAL.test("■ '/clear' is disabled while a task is in progress.")).toBe(true);
    expect(CODEX_REFUSAL.test("• I saw that '/clear' is disabled while a task is in progress.")).toBe(false);
  });

  it.each([
    { draft: 'Ask Codex to do anything', is: 'empty' },
    { draft: 'somebody is typing', is: 'other' },
    { draft: 'our prompt', is: 'ours' },
  ])('[H17] knows whose draft is in the composer: $draft', ({ draft, is }) => {
    expect(readInput(composer(draft), 'our prompt', CODEX_INPUT).draft).toBe(is);
  });

  it.each([
    { title: '⠙ w-codex', says: 'busy' },
    { title: 'w-codex', says: 'not-busy' },
    { title: '[ ! ] Action Required | a title | w-codex', says: 'waiting' },
    { title: '', says: 'unknown' },
  ])('reads the title $title', ({ title, says }) => {
    expect(readCodexTitle(title).says).toBe(says);
  });
});

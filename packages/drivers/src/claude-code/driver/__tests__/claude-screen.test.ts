import { readInput, type ScreenView } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { CLAUDE_INPUT, readClaudeHook, readClaudeScreen, readClaudeTitle } from '../claude-screen.js';

const LINE = '─'.repeat(120);
const screen = (...lines: string[]): ScreenView => ({
  columns: 120,
  rows: lines,
  lines,
  cursor: { row: 0, column: 0 },
  title: '',
  bracketedPaste: true,
  alternateScreen: true,
});
const box = (draft: string, ...above: string[]) => screen(...above, LINE, `❯ ${draft}`, LINE, '  ⏸ manual mode on');
const DIALOG = screen(
  '❯ do it',
  '  Running a scripted command',
  LINE,
  ' Bash command',
  ' touch zzz',
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No',
  ' Esc to cancel · Tab to amend',
);

describe('the screen of Claude Code', () => {
  it.each([
    { name: 'an empty box', view: box(''), says: 'not-busy' },
    { name: 'a spinner', view: box('', '❯ hello', '✻ Pondering… (3s)'), says: 'busy' },
    { name: 'a turn that is over', view: box('', '✻ Cooked for 3s · done 6:44 PM'), says: 'not-busy' },
    { name: 'background agents', view: box('', '✻ Waiting for 1 background agent to finish'), says: 'busy' },
    { name: 'a permission dialog', view: DIALOG, says: 'waiting' },
    { name: 'nothing yet', view: screen(''), says: 'unknown' },
  ])('says $says for $name', ({ view, says }) => {
    expect(readClaudeScreen(view).says).toBe(says);
  });

  it('[H20] shows what it waits for, and refuses typing', () => {
    expect(readClaudeScreen(DIALOG).detail).toBe('Do you want to proceed? ❯ 1. Yes');
    expect(readInput(DIALOG, 'x', CLAUDE_INPUT).dialog).toBe(true);
  });

  it('[H8] ignores the words of an agent that writes about itself', () => {
    const view = box(
      '',
      '❯ 1. explain "10% until auto-compact"',
      '● It says `10% until auto-compact`, or `Context low (1% remaining)`.',
      '  Do you want to proceed?',
      '  ❯ 1. Yes',
      '  ✻ Compacting conversation… (0s)',
    );

    expect(readClaudeScreen(view)).toEqual({ says: 'not-busy', detail: 'the input box' });
    expect(readInput(view, 'x', CLAUDE_INPUT)).toEqual({ prompt: 'drawn', draft: 'empty', dialog: false, busy: false });
  });

  it.each([
    { draft: 'Try "fix lint errors"', is: 'empty' },
    { draft: 'somebody else is typing', is: 'other' },
    { draft: 'our prompt', is: 'ours' },
  ])('[H17] knows whose draft is in the box: $draft', ({ draft, is }) => {
    expect(readInput(box(draft), 'our prompt', CLAUDE_INPUT).draft).toBe(is);
  });

  it.each([
    { title: '✳ Claude Code', says: 'not-busy' },
    { title: '◐ Claude Code', says: 'busy' },
    { title: '◑ my name', says: 'busy' },
    { title: '', says: 'unknown' },
  ])('reads the title $title', ({ title, says }) => {
    expect(readClaudeTitle(title).says).toBe(says);
  });

  it.each([
    { payload: { hook_event_name: 'UserPromptSubmit' }, says: 'busy' },
    { payload: { hook_event_name: 'Stop' }, says: 'not-busy' },
    { payload: { hook_event_name: 'StopFailure', error: 'server_error' }, says: 'not-busy' },
    { payload: { hook_event_name: 'PermissionRequest', tool_name: 'Bash' }, says: 'waiting' },
    { payload: { hook_event_name: 'Notification', notification_type: 'permission_prompt' }, says: 'waiting' },
    { payload: { hook_event_name: 'SubagentStop', agent_type: '' }, says: undefined },
  ])('reads the hook $payload.hook_event_name', ({ payload, says }) => {
    expect(readClaudeHook(payload)?.says).toBe(says);
  });
});

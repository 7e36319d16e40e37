import type { InputPatterns, JsonObject, ScreenView } from '@devs/core';
import { readTurnHook } from '../../driving/read-turn-hook.js';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';
import { textIn } from '../../reading/json.js';

/** The input box: the last line with `❯` at its start, between two lines. A dialog is one column further right. */
export const CLAUDE_INPUT: InputPatterns = {
  prompt: /^❯(?:[ \u00a0]|$)/,
  promptEnd: /^─{10,}/,
  placeholder: /^Try "/,
  pasted: /\[Pasted text #\d+/,
  dialog: /^ ❯ \S/,
  busy: /^[·✢✳✶✻✽] \S+…/,
};

/** `✳` means idle or waiting. */
export function readClaudeTitle(title: string): Said {
  if (/^[◐◑◒◓]/.test(title)) return { says: 'busy', detail: title };
  return title.startsWith('✳') ? { says: 'not-busy', detail: title } : NOTHING_SAID;
}

/**
 * The last resort. Only the frame of the program counts: its input box, its spinner and its dialogs. The agent's own
 * text is further right, so no word in it matters (H8).
 */
export function readClaudeScreen({ lines }: ScreenView): Said {
  const box = lines.findLastIndex((line) => CLAUDE_INPUT.promptEnd?.test(line));
  const isBox =
    box > 0 && lines.slice(0, box).findLastIndex((line) => CLAUDE_INPUT.prompt.test(line)) >= box - MAX_ROWS;
  const choice = lines.findLastIndex((line) => CLAUDE_INPUT.dialog?.test(line));
  if (choice !== -1 && choice > lines.findLastIndex((line) => CLAUDE_INPUT.prompt.test(line))) {
    const question = lines.slice(0, choice).findLast((line) => line.trim() !== '') ?? '';
    return { says: 'waiting', detail: `${question.trim()} ${lines[choice]?.trim() ?? ''}`.trim().slice(0, 200) };
  }
  if (!isBox) return NOTHING_SAID;
  const spinner = lines.findLast((line) => CLAUDE_INPUT.busy?.test(line) || /^✻ Waiting for \d+ background/.test(line));
  return spinner === undefined ? { says: 'not-busy', detail: 'the input box' } : { says: 'busy', detail: spinner };
}

/** How far a draft of many lines can push the prompt away from the end of its box. */
const MAX_ROWS = 60;

/** What its hooks say. No hook fires when the user interrupts a turn or refuses a permission. */
export function readClaudeHook(payload: JsonObject): Said | undefined {
  if (payload.hook_event_name !== 'Notification') return readTurnHook(payload, 'StopFailure');
  return textIn(payload.notification_type) === 'permission_prompt'
    ? { says: 'waiting', detail: 'Notification hook' }
    : undefined;
}

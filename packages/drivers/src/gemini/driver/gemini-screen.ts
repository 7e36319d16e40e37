import type { InputPatterns, ScreenView } from '@devs/core';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';

/** A box of blocks, with `>` before its first line: the last one. Where colours are few, only the line below tells its end. */
export const GEMINI_INPUT: InputPatterns = {
  prompt: /^ [>!*] {1,3}(?=\S|\s*$)/,
  promptEnd: /^(?:▀{8}| workspace \(\/directory\) )/,
  placeholder: /^Type your message or @path\/to\/file/,
  pasted: /^\[Pasted Text: \d+ (?:lines|chars)(?: #\d+)?\]/,
  dialog: /^│\s+(?:● \d+\. |\(Press Enter to submit)/,
  busy: /\(esc to cancel, /,
};

/** `◇  Ready (dir)`, `✦  Working… (dir)`, `✋  Action Required (dir)`. It says Ready before its input is drawn, and at a login. */
export function readGeminiTitle(title: string): Said {
  if (title.startsWith('✋')) return { says: 'waiting', detail: 'Action Required' };
  if (title.startsWith('✦')) return { says: 'busy', detail: 'Working' };
  return title.startsWith('◇') ? { says: 'not-busy', detail: 'Ready' } : NOTHING_SAID;
}

/** The frame of the program only, never a word of the agent (H8). */
export function readGeminiScreen({ lines }: ScreenView): Said {
  const dialog = lines.findLastIndex((line) => GEMINI_INPUT.dialog?.test(line));
  if (dialog !== -1) {
    const question = lines.slice(0, dialog).findLast((line) => /\?/.test(line)) ?? lines[dialog] ?? '';
    return { says: 'waiting', detail: question.replaceAll('│', '').trim() };
  }
  if (lines.slice(-BOTTOM).some((line) => GEMINI_INPUT.busy?.test(line)))
    return { says: 'busy', detail: 'esc to cancel' };
  return lines.some((line) => GEMINI_INPUT.prompt.test(line))
    ? { says: 'not-busy', detail: 'the input' }
    : NOTHING_SAID;
}

/** The line that says so is above the input, which may have several lines. */
const BOTTOM = 20;

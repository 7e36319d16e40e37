import type { InputPatterns, ScreenView } from '@devs/core';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';

/** A box with a bar at its left. Its last line names the agent and the model: `Build · gpt-5.5 OpenAI`. */
export const OPENCODE_INPUT: InputPatterns = {
  prompt: /^\s*╹▀{8}/,
  frame: /^\s*┃/,
  promptEnd: /^\s*┃ {2}\S.* · \S/,
  placeholder: /^Ask anything…/,
  pasted: /^\[Pasted ~\d+ lines\]/,
  dialog: /^\s*┃ {2}△ Permission required/,
  busy: /\besc (?:again to )?interrupt\b/,
};

/** The first screen, before a conversation is open. */
export const isHome = ({ lines }: ScreenView): boolean => lines.some((line) => /^\s*┃ {2}Ask anything…/.test(line));

/** The last resort, where its server does not answer: the frame of the program only, never a word of the agent (H8). */
export function readOpencodeScreen({ lines }: ScreenView): Said {
  const dialog = lines.findLast((line) => OPENCODE_INPUT.dialog?.test(line));
  if (dialog !== undefined) return { says: 'waiting', detail: dialog.replace(/^\s*┃\s*/, '') };
  if (!lines.some((line) => OPENCODE_INPUT.prompt.test(line))) return NOTHING_SAID;
  const bottom = lines.slice(-BOTTOM);
  if (bottom.some((line) => OPENCODE_INPUT.busy?.test(line))) return { says: 'busy', detail: 'esc interrupt' };
  return { says: 'not-busy', detail: 'the input' };
}

const BOTTOM = 3;

import type { InputPatterns, JsonObject, ScreenView } from '@devs/core';
import { readTurnHook } from '../../driving/read-turn-hook.js';
import { NOTHING_SAID, type Said } from '../../driving/signal-reader.js';

/** The composer: the last line with `›` at its start, above the line that names model and folder. */
export const CODEX_INPUT: InputPatterns = {
  prompt: /^›(?: |$)/,
  promptEnd: /^ {2}(?:\? for shortcuts|\S.* · [~/]|.*context left|.*to send as|.*esc to )/,
  placeholder:
    /^(?:Ask Codex to do anything|Explain this codebase|Summarize recent commits|Find and fix a bug|Write tests for|Improve documentation|Implement \{feature\}|Use \/skills|Run \/review)/,
  pasted: /\[Pasted Content \d+ chars\]/i,
  dialog: /^\s*(?:Press enter to (?:confirm|continue)|enter select · esc)/i,
  busy: /^[•◦] Working \(/,
};

/** Its rollout says that a turn has ended a moment before its screen does; until then commands are refused. */
export const CODEX_REFUSAL = /^\s*(?:■ )?'\/[\w-]+' is disabled while a task is in progress/;

const SPINNER = /^[\u2800-\u28ff] /u;

/** `⠙ folder` works, `[ ! ] Action Required | folder` waits, anything else is idle. */
export function readCodexTitle(title: string): Said {
  if (title === '') return NOTHING_SAID;
  if (SPINNER.test(title)) return { says: 'busy', detail: 'a spinner in the title' };
  if (/^\[ [!.] \] Action Required/.test(title)) return { says: 'waiting', detail: 'Action Required' };
  return { says: 'not-busy', detail: title };
}

/** The last resort: the frame of the program only, never a word of the agent (H8). */
export function readCodexScreen({ lines }: ScreenView): Said {
  const dialog = lines.findLastIndex((line) => CODEX_INPUT.dialog?.test(line));
  if (dialog !== -1 && dialog >= lines.length - 3) {
    const question = lines.slice(0, dialog).findLast((line) => line.trim().endsWith('?')) ?? '';
    return { says: 'waiting', detail: `${question.trim()} ${lines[dialog]?.trim() ?? ''}`.trim().slice(0, 200) };
  }
  const composer = lines.findLastIndex((line) => CODEX_INPUT.prompt.test(line));
  if (composer === -1) return NOTHING_SAID;
  const working = lines.slice(Math.max(0, composer - MAX_ROWS), composer).find((line) => CODEX_INPUT.busy?.test(line));
  return working === undefined ? { says: 'not-busy', detail: 'the composer' } : { says: 'busy', detail: 'Working' };
}

/** The line that says so is just above the composer. */
const MAX_ROWS = 4;

export const readCodexHook = (payload: JsonObject): Said | undefined => readTurnHook(payload, 'Interrupt');

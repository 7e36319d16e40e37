import type { ScreenView } from './screen-view.js';

/** An adapter's reading of the agent's input. */
export interface InputReading {
  readonly prompt: 'drawn' | 'hidden';
  /** `ours` is the text being delivered; `other` is foreign text, which is never sent or lost. */
  readonly draft: 'empty' | 'ours' | 'other';
  /** A question is on the screen that Enter would answer. */
  readonly dialog: boolean;
  readonly busy: boolean;
}

/** How to find the input on the screen of one agent. The patterns are tried on each line of the view. */
export interface InputPatterns {
  /** Matches the prompt up to where the draft begins, such as `/^❯ ?/`. The last line that matches counts. */
  readonly prompt: RegExp;
  /** The first line below the prompt that is no draft any more, such as the frame of a box. */
  readonly promptEnd?: RegExp;
  /**
   * For a box whose lines all begin alike, such as `/^\s*┃/`: the draft is what these lines hold, directly above the last
   * `promptEnd`. `prompt` only says that the box is drawn.
   */
  readonly frame?: RegExp;
  /** Placeholder of an empty input, such as `Ask Codex to do anything`. */
  readonly placeholder?: RegExp;
  /** Placeholder of a long paste, such as `[Pasted text #1 +59 lines]`. */
  readonly pasted?: RegExp;
  readonly dialog?: RegExp;
  readonly busy?: RegExp;
}

/** How much of a long draft must be on the screen to know it. */
const ENOUGH_CHARACTERS = 40;

/** Reads the input of any agent that draws a prompt. Pure; only lines are looked at, never what scrolled away. */
export function readInput(view: ScreenView, text: string, patterns: InputPatterns): InputReading {
  const at = view.lines.findLastIndex((line) => patterns.prompt.test(line));
  const matches = (pattern: RegExp | undefined) =>
    pattern !== undefined && view.lines.some((line) => pattern.test(line));
  return {
    prompt: at === -1 ? 'hidden' : 'drawn',
    draft: at === -1 ? 'empty' : judgeDraft(draftAt(view.lines, at, patterns), text, patterns),
    dialog: matches(patterns.dialog),
    busy: matches(patterns.busy),
  };
}

function draftAt(lines: readonly string[], at: number, patterns: InputPatterns): string {
  const { prompt, promptEnd, frame } = patterns;
  if (frame !== undefined && promptEnd !== undefined) return framedDraft(lines, frame, promptEnd);
  const [first = '', ...below] = lines.slice(at);
  const end = promptEnd === undefined ? -1 : below.findIndex((line) => promptEnd.test(line));
  return [first.replace(prompt, ''), ...(end === -1 ? below : below.slice(0, end))].join('\n');
}

function framedDraft(lines: readonly string[], frame: RegExp, promptEnd: RegExp): string {
  const end = lines.findLastIndex((line) => promptEnd.test(line));
  const above = lines.slice(0, Math.max(0, end));
  const begin = above.findLastIndex((line) => !frame.test(line)) + 1;
  return above
    .slice(begin)
    .map((line) => line.replace(frame, ''))
    .join('\n');
}

function judgeDraft(draft: string, text: string, { placeholder, pasted }: InputPatterns): InputReading['draft'] {
  const [shown, wanted] = [withoutSpace(draft), withoutSpace(text)];
  if (shown === '' || placeholder?.test(draft.trim())) return 'empty';
  if (shown === wanted || (pasted?.test(draft) && isOfThatSize(draft, text))) return 'ours';
  const isTail = shown.length >= Math.min(ENOUGH_CHARACTERS, wanted.length) && wanted.endsWith(shown);
  return isTail ? 'ours' : 'other';
}

/** Agents count the lines of a paste, its line ends, or its characters. */
function isOfThatSize(placeholder: string, text: string): boolean {
  const ends = text.split('\n').length - 1;
  const characters = /: (\d+) chars/.exec(placeholder)?.[1];
  if (characters !== undefined) return Number(characters) === text.length;
  const said = /[+:] ?(\d+) lines/.exec(placeholder)?.[1];
  return ends > 0 && (said === undefined || Math.abs(Number(said) - ends) <= 1);
}

/** Wrapping, indenting and padding are the agent's own. */
const withoutSpace = (text: string) => text.replace(/\s+/gu, '');

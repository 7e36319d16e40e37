import { rejoinLines } from './rejoin-lines.js';

export interface HandoffOutput {
  /** The agent's turn has ended. Before that, half a sentence would be taken for the whole (H3). */
  readonly isComplete: boolean;
  /** How wide the terminal is. Lines that it broke are joined; where it is left out, by what the lines themselves show. */
  readonly columns?: number;
}

/**
 * The handoff that an agent wrote on its screen: everything under the last `## HANDOFF`, with its sub-headings, up to
 * other content of the screen. `undefined` while the text is still being written.
 */
export function parseHandoffFromOutput(output: string, { isComplete, columns }: HandoffOutput): string | undefined {
  if (!isComplete) return undefined;
  const lines = plainText(output).split('\n').map(withoutFrame);
  const start = lines.findLastIndex((line) => HEADING.test(line));
  if (start === -1) return undefined;
  const after = lines.slice(start + 1);
  const input = after.findIndex((line, index) => RULE.test(line) && PROMPT.test(after[index + 1] ?? ''));
  const body = (input === -1 ? after : after.slice(0, input)).filter((line) => !BUSY.test(line) && !PROMPT.test(line));
  const text = rejoinLines(withoutIndent(body), columns)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? undefined : text;
}

const HEADING = /^\s*#{1,2}\s*HANDOFF\b/i;
/** The input box under what the agent said. */
const RULE = /^\s*[─━═]{3,}.*$/u;
const PROMPT = /^\s*[❯›]/u;
/** What a terminal shows while an agent works, and how long it took. */
const BUSY =
  /^\s*(?:[·✢✳✶✻✽✺◐◑◦⠁-⣿]\s.*(?:…|\.\.\.|\bfor \d+\s?[hms]).*|[─━═]{3,}\s*|.*\besc to interrupt\b.*|\? for shortcuts.*)$/u;

const plainText = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is taken out
    .replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][A-Z0-9]|[@-Z\\-_=>78])/g, '')
    .replace(/\r+\n/g, '\n')
    .replace(/\r/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: other control characters
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

/** A line of a box without its sides; a line that is nothing but a side is empty. */
const withoutFrame = (line: string) =>
  line
    .trimEnd()
    .replace(/^\s*[│┃║▌⎿]\s?/u, '')
    .replace(/[│┃║▐]$/u, '')
    .replace(/^\s*[⏺●•]\s/u, '')
    .replace(/^\s*[╭╮╰╯┌┐└┘├┤┬┴┼][─━═╭╮╰╯┌┐└┘├┤┬┴┼\s]*$/u, '')
    .trimEnd();

/** As far as all lines are indented. */
function withoutIndent(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line !== '').map((line) => line.search(/\S/));
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(common));
}

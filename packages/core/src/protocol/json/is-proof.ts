/** A line break as written in a JSON string; a preceding backslash would be a separate character. */
const LINE_BREAK = /(?<=(?<!\\)(?:\\\\)*)\\n/;

/** How far before the proof the same words would make it worthless. */
const SEARCHED_CHARS = 8_000;

export const holdsLineBreak = (text: string) => LINE_BREAK.test(text);

/**
 * Whether the held-back part of a string proves where a text continues it. Words that occur earlier in the string
 * prove nothing. Nor does a line that begins like a later one: repeating the line and losing it would look alike.
 */
export function isProof(held: string, before: string): boolean {
  const said = before.slice(-SEARCHED_CHARS);
  const [restOfLine = '', ...later] = held.split(LINE_BREAK);
  const line = (said.split(LINE_BREAK).at(-1) ?? '') + restOfLine;
  const begun = later.pop();
  // The next line that says anything, as far as it had arrived, may still turn out to be the same as this one.
  const isOpen = begun !== undefined && later.every((next) => next === '');
  if (isOpen && (line.startsWith(begun) || begun.startsWith(line))) return false;
  return !later.includes(line) && !said.includes(held);
}

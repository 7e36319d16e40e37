/** A line break as a JSON string holds it; a backslash before it would be a character of its own. */
const LINE_BREAK = /(?<=(?<!\\)(?:\\\\)*)\\n/;

/** How far before the proof the same words would make it worthless. */
const SEARCHED_CHARS = 8_000;

export const holdsLineBreak = (text: string) => LINE_BREAK.test(text);

/**
 * Whether what was held back of a string proves where a text continues it. Words that the string holds before prove
 * nothing. Nor does a line that begins like a later one: a model that repeats the line and a model that loses it would
 * go on alike.
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

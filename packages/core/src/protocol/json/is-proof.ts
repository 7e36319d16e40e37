/** A line break as a JSON string holds it. */
export const LINE_BREAK = '\\n';

/** How far before the proof the same words would make it worthless. */
const SEARCHED_CHARS = 8_000;

/**
 * Whether what was held back of a string proves where a text continues it. Words that the string holds before prove
 * nothing; nor does a line that begins like the next one, since a model that loses a line would begin alike.
 */
export function isProof(held: string, before: string): boolean {
  const lineBreak = held.indexOf(LINE_BREAK);
  const nextLine = lineBreak === -1 ? '' : held.slice(lineBreak + LINE_BREAK.length);
  if (nextLine !== '' && held.startsWith(nextLine)) return false;
  return !before.slice(-SEARCHED_CHARS).includes(held);
}

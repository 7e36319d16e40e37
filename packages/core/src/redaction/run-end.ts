/**
 * End of the run of such characters that starts at `from`. Not a pattern with `*`: those keep a backtracking point for
 * every character, and throw at some ten million of them.
 */
export function runEnd(text: string, from: number, isMember: (code: number) => boolean): number {
  let end = from;
  while (end < text.length && isMember(text.charCodeAt(end))) end++;
  return end;
}

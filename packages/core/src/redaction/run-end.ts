/**
 * Where the run of such characters that goes on at `from` ends. Not a pattern with `*`: those keep a place to return to
 * for every character, and throw when there are some ten million of them.
 */
export function runEnd(text: string, from: number, isMember: (code: number) => boolean): number {
  let end = from;
  while (end < text.length && isMember(text.charCodeAt(end))) end++;
  return end;
}

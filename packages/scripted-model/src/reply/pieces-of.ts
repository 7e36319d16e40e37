/** A text in pieces of about `size` characters, as a model sends it. */
export function* piecesOf(text: string, size: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++; // not in the middle of a character
    yield text.slice(start, end);
    start = end;
  }
}

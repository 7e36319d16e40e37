/**
 * Every length `k`, longest first, for which the last `k` characters of `text` are the first `k` of `next`; at the
 * end always 0. These are the ways in which a model may have repeated the tail of what it was shown.
 */
export function overlaps(text: string, next: string): readonly number[] {
  const tail = text.slice(-next.length);
  const borders = bordersOf(next.slice(0, tail.length));
  let matched = 0;
  for (let index = 0; index < tail.length; index++) {
    const code = tail.charCodeAt(index);
    while (matched > 0 && (matched === next.length || next.charCodeAt(matched) !== code)) {
      matched = borders[matched - 1] as number;
    }
    if (next.charCodeAt(matched) === code) matched++;
  }
  const lengths: number[] = [];
  for (let length = matched; length > 0; length = borders[length - 1] as number) lengths.push(length);
  return [...lengths, 0];
}

/** For each prefix of `text`, the length of its longest proper prefix that is also its suffix (Knuth, Morris, Pratt). */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let index = 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] as number;
    if (text.charCodeAt(length) === code) length++;
    borders[index] = length;
  }
  return borders;
}

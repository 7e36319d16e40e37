/** Where the beginning of one text is found in another. */
export interface Repetition {
  /** Every length, longest first, for which the end of `text` is the beginning of `next`; at the end always 0. */
  readonly overlaps: readonly number[];
  /** The places at which all of `next` is found in `text`, in order. */
  readonly occurrences: readonly number[];
}

/**
 * The ways in which a model may have repeated the shown text: part of its end before continuing, or a piece of it and
 * nothing else. Linear time for any texts.
 */
export function findRepetition(text: string, next: string): Repetition {
  const borders = bordersOf(next);
  const occurrences: number[] = [];
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    while (matched > 0 && (matched === next.length || next.charCodeAt(matched) !== code)) {
      matched = borders[matched - 1] as number;
    }
    if (next.charCodeAt(matched) === code) matched++;
    if (matched === next.length && matched > 0) occurrences.push(index + 1 - matched);
  }
  const overlaps: number[] = [];
  for (let length = matched; length > 0; length = borders[length - 1] as number) overlaps.push(length);
  return { overlaps: [...overlaps, 0], occurrences };
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

/** More than this many letters wrong is another word. */
const MAX_EDITS = 2;
/** A hint is not worth more time than the whole file. */
const MAX_WORDS = 100;

/** A hint with the word that was probably meant, if a known word is close enough. */
export function didYouMean(written: string, words: readonly string[]): string | undefined {
  const allowed = Math.min(MAX_EDITS, Math.floor(written.length / 2));
  let nearest: { readonly word: string; readonly edits: number } | undefined;
  for (const word of words.slice(0, MAX_WORDS)) {
    const edits = countEdits(written, word, nearest === undefined ? allowed : nearest.edits - 1);
    if (edits !== undefined) nearest = { word, edits };
    if (nearest?.edits === 0) break;
  }
  return nearest === undefined ? undefined : `did you mean '${nearest.word}'?`;
}

/** Letters to insert, delete, replace or swap, ignoring case; `undefined` if more than `most`. */
function countEdits(a: string, b: string, most: number): number | undefined {
  if (most < 0 || Math.abs(a.length - b.length) > most) return undefined;
  const from = a.toLowerCase();
  const to = b.toLowerCase();
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = cell(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swap = swapped ? cell(before, column - 2) + 1 : replaced;
      next.push(Math.min(cell(last, column) + 1, cell(next, column - 1) + 1, replaced, swap));
    }
    if (Math.min(...next) > most) return undefined;
    before = last;
    last = next;
  }
  const edits = cell(last, to.length);
  return edits > most ? undefined : edits;
}

const cell = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;

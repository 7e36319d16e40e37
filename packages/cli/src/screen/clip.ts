import { fitStart, widthOf } from './columns.js';
import { visible } from './visible.js';

/** No character takes more than this many UTF-16 units for each column, apart from piles of accents. */
const UNITS_PER_COLUMN = 4;

/** The beginning of a text, made visible, with `…` where something is left out. The cost does not depend on its length. */
export function clip(text: string, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY) return visible(text);
  const enough = Math.max(0, columns) * UNITS_PER_COLUMN;
  const start = visible(text.slice(0, enough));
  if (text.length <= enough && widthOf(start) <= columns) return start;
  return columns <= 0 ? '' : `${fitStart(start, columns - 1).trimEnd()}…`;
}

/** Clipped, and filled up with spaces to exactly so many columns. */
export function cell(text: string, columns: number): string {
  const clipped = clip(text, columns);
  return `${clipped}${' '.repeat(Math.max(0, columns - widthOf(clipped)))}`;
}

import { fitEnd, fitStart, widthOf } from './columns.js';
import { visible } from './visible.js';

const GAP = ' … ';
/** The end of a text tells more than its beginning: that is where answers are cut off. */
const HEAD_SHARE = 0.36;
/** No character takes more than this many UTF-16 units for each column, apart from piles of accents. */
const UNITS_PER_COLUMN = 4;

/** The text made visible where it fits; else its beginning and its end. The cost does not depend on the text's length. */
export function excerpt(text: string, columns: number): string {
  const enough = columns * UNITS_PER_COLUMN;
  if (text.length <= enough) {
    const whole = visible(text);
    if (widthOf(whole) <= columns) return whole;
  }
  const head = fitStart(visible(text.slice(0, enough)), Math.floor((columns - GAP.length) * HEAD_SHARE));
  return `${head}${GAP}${fitEnd(visible(text.slice(-enough)), columns - GAP.length - widthOf(head))}`;
}

/** The end of a text, made visible. */
export function tail(text: string, columns: number): string {
  const end = visible(text.slice(-columns * UNITS_PER_COLUMN));
  if (text.length <= columns * UNITS_PER_COLUMN && widthOf(end) <= columns) return end;
  return `…${fitEnd(end, columns - 1)}`;
}

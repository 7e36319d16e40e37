import { fitEnd, fitStart, widthOf } from '../../screen/columns.js';
import { visible } from '../../screen/visible.js';

const TAB = '    ';
/** No character takes more than this many UTF-16 units for each column, apart from piles of accents. */
const UNITS_PER_COLUMN = 4;
/** Of a long line, most of what is shown leads up to the place. */
const SHARE_BEFORE = 0.6;

export interface SourceExcerpt {
  readonly text: string;
  /** How many columns of the text stand before the place. */
  readonly indent: number;
}

/** A line, made visible, or as much around the place as fits. The cost does not depend on its length. */
export function sourceExcerpt(line: string, column: number, columns: number): SourceExcerpt {
  const enough = columns * UNITS_PER_COLUMN;
  const place = Math.min(Math.max(column - 1, 0), line.length);
  const from = Math.max(0, place - enough);
  const before = show(line.slice(from, place));
  const after = show(line.slice(place, place + enough));
  const isWhole = from === 0 && line.length - place <= enough;
  if (isWhole && widthOf(before) + widthOf(after) <= columns) {
    return { text: `${before}${after}`.trimEnd(), indent: widthOf(before) };
  }
  const most = Math.floor(columns * SHARE_BEFORE);
  const head = from === 0 && widthOf(before) <= most ? before : `…${fitEnd(before, most - 1)}`;
  const room = columns - widthOf(head);
  const fits = line.length - place <= enough && widthOf(after) <= room;
  return { text: `${head}${fits ? after : `${fitStart(after, room - 1)}…`}`, indent: widthOf(head) };
}

const show = (text: string) => visible(text.replaceAll('\t', TAB));

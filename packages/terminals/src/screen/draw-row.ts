import type { IBufferCell, IBufferLine } from '@xterm/headless';

/** One row as terminal output, with colours, cut at `columns`. Resets all attributes at the end. */
export function drawRow(line: IBufferLine | undefined, columns: number): string {
  if (line === undefined) return '';
  let drawn = '';
  let style = '';
  let blanks = '';
  for (let column = 0; column < Math.min(columns, line.length); ) {
    const cell = line.getCell(column);
    if (cell === undefined) break;
    const width = Math.max(1, cell.getWidth());
    if (column + width > columns) break; // half of a wide character is none
    const next = styleOf(cell);
    const text = cell.getChars() || ' ';
    if (next !== style) {
      drawn += `${blanks}\u001b[0${next}m`;
      blanks = '';
      style = next;
    }
    if (text === ' ' && style === '') blanks += ' ';
    else {
      drawn += `${blanks}${text}`;
      blanks = '';
    }
    column += width;
  }
  return style === '' ? drawn : `${drawn}\u001b[0m`;
}

/** What follows `0` in the sequence that sets it. */
function styleOf(cell: IBufferCell): string {
  const flags: readonly (readonly [number, number])[] = [
    [cell.isBold(), 1],
    [cell.isDim(), 2],
    [cell.isItalic(), 3],
    [cell.isUnderline(), 4],
    [cell.isBlink(), 5],
    [cell.isInverse(), 7],
    [cell.isInvisible(), 8],
    [cell.isStrikethrough(), 9],
    [cell.isOverline(), 53],
  ];
  const set = flags.filter(([isOn]) => isOn !== 0).map(([, code]) => `;${code}`);
  return `${set.join('')}${foreground(cell)}${background(cell)}`;
}

const foreground = (cell: IBufferCell): string =>
  cell.isFgRGB() ? rgb(38, cell.getFgColor()) : cell.isFgPalette() ? `;38;5;${cell.getFgColor()}` : '';

const background = (cell: IBufferCell): string =>
  cell.isBgRGB() ? rgb(48, cell.getBgColor()) : cell.isBgPalette() ? `;48;5;${cell.getBgColor()}` : '';

const rgb = (kind: 38 | 48, color: number): string =>
  `;${kind};2;${(color >> 16) & 0xff};${(color >> 8) & 0xff};${color & 0xff}`;

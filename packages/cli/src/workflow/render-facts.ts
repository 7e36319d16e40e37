import { widthOf } from '../screen/columns.js';
import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';

const GAP = '   ';
const SEPARATOR = ' · ';

interface Layout {
  readonly screen: Screen;
  /** Of the first line, and of those below it. */
  readonly margins: readonly [string, string];
  /** Up to where facts are aligned, counted from the left of the screen. */
  readonly alignAt?: number;
}

/** A name and what there is to say about it, in one line where that fits; a fact is never broken in two. */
export function renderFacts(
  name: string,
  facts: readonly string[],
  { screen, margins, alignAt = 0 }: Layout,
): string[] {
  const { palette, columns } = screen;
  const [first, others] = margins;
  const head = `${first}${name}`;
  const gap = `${' '.repeat(Math.max(0, alignAt - widthOf(head)))}${GAP}`;
  const shown = facts.map(visible);
  // Below the first facts where all of them fit there, else further to the left.
  const below = ' '.repeat(Math.max(0, alignAt - widthOf(others)));
  const isRoomBelow = shown.every((fact) => widthOf(`${others}${below}${GAP}${fact}`) <= columns);
  const indent = `${isRoomBelow ? below : ''}${GAP}`;
  const [beside = '', ...more] = fill(
    shown,
    columns - widthOf(`${head}${gap}`),
    columns - widthOf(`${others}${indent}`),
  );
  return [
    `${palette.quiet(first)}${palette.title(name)}${beside === '' ? '' : `${gap}${palette.quiet(beside)}`}`,
    ...more.map((line) => `${palette.quiet(others)}${indent}${palette.quiet(line)}`),
  ];
}

/** Lines of facts; the first, which may stay empty, has another room than the others. */
function fill(facts: readonly string[], firstRoom: number, room: number): string[] {
  const lines = [''];
  for (const fact of facts) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? fact : `${last}${SEPARATOR}${fact}`;
    if (widthOf(longer) <= (lines.length === 1 ? firstRoom : room)) lines[lines.length - 1] = longer;
    else lines.push(fact);
  }
  return lines;
}

import type { ReportSection } from '@devs/core';
import { cell, clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';

const GAP = '  ';
const INDENT = '  ';
const LABEL_COLUMNS = 16;
const MOST_CELL_COLUMNS = 40;
/** Of a line that is too long for the screen. */
const MOST_LINES = 4;
/** Of a text of several lines: an agent's screen has room in it. */
const MOST_ROWS = 30;
const MOST_INDENT = 8;

/** A report for a terminal. What agents wrote is shown and not obeyed, and cut where it is long. */
export function renderReport(sections: readonly ReportSection[], screen: Screen): string[] {
  return sections.flatMap((section, index) => [...(index === 0 ? [] : ['']), ...renderSection(section, screen)]);
}

function renderSection(
  { title, facts = [], table, lines = [], commands = [] }: ReportSection,
  screen: Screen,
): string[] {
  const { palette, columns } = screen;
  return [
    palette.title(clip(title, columns)),
    ...facts.flatMap(([label, value]) => renderFact(label, value, screen)),
    ...(table === undefined ? [] : renderTable(table, screen)),
    ...lines.flatMap((line) => wrapped(line, columns - INDENT.length).map((part) => `${INDENT}${part}`)),
    ...commands.map((command) => `${INDENT}${palette.devs(visible(command))}`),
  ];
}

function renderFact(label: string, value: string, { palette, columns }: Screen): string[] {
  return wrapped(value, columns - LABEL_COLUMNS).map(
    (line, index) => `${palette.quiet(`${INDENT}${index === 0 ? label : ''}`.padEnd(LABEL_COLUMNS))}${line}`,
  );
}

/** Lines stay lines, with their indent. */
function wrapped(text: string, columns: number): string[] {
  const all = text.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0].slice(0, MOST_INDENT) ?? '';
    const room = columns - indent.length;
    const parts = wrapWords(clip(line.trimStart(), room * MOST_LINES), room);
    return parts.slice(0, MOST_LINES).map((part) => `${indent}${part}`.trimEnd());
  });
  return all.length <= MOST_ROWS ? all : [...all.slice(0, MOST_ROWS - 1), '…'];
}

/** The last column gets what is left. */
function renderTable({ head, rows }: NonNullable<ReportSection['table']>, { palette, columns }: Screen): string[] {
  const widths = head.map((name, column) =>
    Math.min(MOST_CELL_COLUMNS, Math.max(widthOf(name), ...rows.map((row) => widthOf(visible(row[column] ?? ''))))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, INDENT.length);
  const lastColumns = Math.max(8, columns - before);
  const line = (cells: readonly string[]) =>
    cells
      .map((text, column) =>
        column === cells.length - 1 ? clip(text, lastColumns) : cell(text, widths[column] ?? MOST_CELL_COLUMNS),
      )
      .join(GAP)
      .trimEnd();
  return [palette.quiet(`${INDENT}${line(head)}`), ...rows.map((row) => `${INDENT}${line(row)}`)];
}

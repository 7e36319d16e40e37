import type { ReportSection } from './report-sections.js';

const MAX_CELL_CHARACTERS = 300;

/** A report as a Markdown document. Text from agents is escaped. */
export function renderReportMarkdown(sections: readonly ReportSection[]): string {
  return `${sections.map(renderSection).join('\n\n')}\n`;
}

function renderSection({ title, facts = [], table, lines = [], commands = [] }: ReportSection, index: number): string {
  const blocks = [
    `${index === 0 ? '#' : '##'} ${plainText(title)}`,
    ...(facts.length === 0
      ? []
      : [facts.map(([label, value]) => `- **${plainText(label)}**: ${plainLines(value)}`).join('\n')]),
    ...(table === undefined ? [] : [renderTable(table)]),
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${plainLines(line)}`).join('\n')]),
    ...(commands.length === 0 ? [] : [`\`\`\`sh\n${commands.map(oneLine).join('\n')}\n\`\`\``]),
  ];
  return blocks.join('\n\n');
}

function renderTable({ head, rows }: NonNullable<ReportSection['table']>): string {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => plainText(shorten(cell))).join(' | ')} |`;
  return [row(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(row)].join('\n');
}

const shorten = (text: string): string =>
  text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…` : text;

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim();

/** Each line of a text on its own line, within the same list item. */
const plainLines = (text: string): string =>
  text
    .split('\n')
    .map(plainText)
    .filter((line) => line !== '')
    .join('  \n  ');

/** Characters that Markdown or HTML would take for its own are escaped. */
const plainText = (text: string): string => oneLine(text).replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&');

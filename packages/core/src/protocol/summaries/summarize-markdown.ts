import { fitTokens } from '../../tokens/fit-tokens.js';

/** A heading with the lines below it, up to the next heading. The text before the first heading has level 0. */
interface Section {
  readonly level: number;
  readonly title: string;
  readonly lines: readonly string[];
}

const START_MARK = /^<!--\s*summary\s*-->$/i;
const END_MARK = /^<!--\s*\/summary\s*-->$/i;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const CODE_FENCE = /^\s*(`{3,}|~{3,})/;

/**
 * What a document says in short, within a budget: the part marked `<!-- summary -->` (up to `<!-- /summary -->` or the
 * next heading), else the section headed "Summary", else the first paragraph below each heading.
 */
export function summarizeMarkdown(markdown: string, budgetTokens: number): string {
  const sections = sectionsOf(markdown.split(/\r?\n/));
  const text = markedSummary(sections) ?? summarySection(sections) ?? firstParagraphs(sections);
  return fitTokens(text, budgetTokens);
}

function sectionsOf(lines: readonly string[]): readonly Section[] {
  const sections: { level: number; title: string; lines: string[] }[] = [{ level: 0, title: '', lines: [] }];
  let fence: string | undefined;
  for (const line of lines) {
    const mark = CODE_FENCE.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const heading = fence === undefined ? HEADING.exec(line) : null;
    if (heading === null) sections.at(-1)?.lines.push(line);
    else sections.push({ level: heading[1]?.length ?? 1, title: heading[2] ?? '', lines: [] });
  }
  return sections;
}

function markedSummary(sections: readonly Section[]): string | undefined {
  for (const { lines } of sections) {
    const start = lines.findIndex((line) => START_MARK.test(line.trim()));
    if (start === -1) continue;
    const end = lines.findIndex((line, index) => index > start && END_MARK.test(line.trim()));
    return trimLines(lines.slice(start + 1, end === -1 ? undefined : end));
  }
  return undefined;
}

/** The section with everything below it, down to the next heading of the same rank. */
function summarySection(sections: readonly Section[]): string | undefined {
  const start = sections.findIndex(({ title }) => /^(executive )?summary$/i.test(title));
  const summary = sections[start];
  if (summary === undefined) return undefined;
  const next = sections.findIndex((section, index) => index > start && section.level <= summary.level);
  const within = sections.slice(start, next === -1 ? undefined : next);
  const text = within.map((section, index) => (index === 0 ? section.lines : [headingLine(section), ...section.lines]));
  return trimLines(text.flat());
}

function firstParagraphs(sections: readonly Section[]): string {
  const parts = sections.flatMap((section) => {
    const paragraph = firstParagraph(section.lines);
    if (section.level === 0) return paragraph === '' ? [] : [paragraph];
    return [paragraph === '' ? headingLine(section) : `${headingLine(section)}\n${paragraph}`];
  });
  return parts.join('\n\n');
}

function firstParagraph(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('<!--'));
  if (start === -1) return '';
  const length = lines.slice(start).findIndex((line) => line.trim() === '');
  return trimLines(lines.slice(start, length === -1 ? undefined : start + length));
}

const headingLine = ({ level, title }: Section) => `${'#'.repeat(level)} ${title}`;

const trimLines = (lines: readonly string[]) => lines.join('\n').trim();

import { fitTokens } from '../../tokens/fit-tokens.js';

/** A heading with the lines below it, up to the next heading. The text before the first heading has level 0. */
interface Section {
  readonly level: number;
  readonly title: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly text: string;
  /** Inside a code block nothing is a heading or a mark. */
  readonly isCode: boolean;
}

const START_MARK = /^<!--\s*summary\s*-->$/i;
const END_MARK = /^<!--\s*\/summary\s*-->$/i;
const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
const SUMMARY_TITLE = /^(?:\d+(?:\.\d+)*\.?\s+)?(?:executive )?summary$/i;
const CODE_FENCE = /^\s*(`{3,}|~{3,})/;
const FRONT_MATTER = /^---\r?\n[\s\S]*?\r?\n---\r?\n/;

/**
 * Summary of a document within a budget: the part after `<!-- summary -->` (up to `<!-- /summary -->`, else to the
 * next heading), else the section headed "Summary", else the first paragraph below each heading.
 */
export function summarizeMarkdown(markdown: string, budgetTokens: number): string {
  const lines = linesOf(markdown.replace(/^\ufeff/, '').replace(FRONT_MATTER, ''));
  const sections = sectionsOf(lines);
  const text = markedPart(lines) || summarySection(sections) || firstParagraphs(sections);
  return fitTokens(text, budgetTokens);
}

function linesOf(markdown: string): readonly Line[] {
  let fence: string | undefined;
  return markdown.split(/\r?\n/).map((text) => {
    const mark = CODE_FENCE.exec(text)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    return { text, isCode };
  });
}

function sectionsOf(lines: readonly Line[]): readonly Section[] {
  const sections: { level: number; title: string; lines: Line[] }[] = [{ level: 0, title: '', lines: [] }];
  for (const line of lines) {
    const heading = line.isCode ? null : HEADING.exec(line.text);
    if (heading === null) sections.at(-1)?.lines.push(line);
    else sections.push({ level: heading[1]?.length ?? 1, title: withoutClosingHashes(heading[2] ?? ''), lines: [] });
  }
  return sections;
}

/** A mark may come right before a heading, which then belongs to the part. */
function markedPart(lines: readonly Line[]): string | undefined {
  const start = lines.findIndex((line) => !line.isCode && START_MARK.test(line.text.trim()));
  if (start === -1) return undefined;
  const marked = lines.slice(start + 1);
  const end = marked.findIndex((line) => !line.isCode && END_MARK.test(line.text.trim()));
  if (end !== -1) return trimmed(marked.slice(0, end));
  const first = marked.findIndex((line) => line.text.trim() !== '');
  const next = marked.findIndex((line, index) => index > first && !line.isCode && HEADING.test(line.text));
  return trimmed(marked.slice(0, next === -1 ? undefined : next));
}

/** The section with everything below it, down to the next heading of the same rank. */
function summarySection(sections: readonly Section[]): string | undefined {
  const start = sections.findIndex(({ title }) => SUMMARY_TITLE.test(title));
  const summary = sections[start];
  if (summary === undefined) return undefined;
  const next = sections.findIndex((section, index) => index > start && section.level <= summary.level);
  const below = sections.slice(start + 1, next === -1 ? undefined : next);
  const parts = [
    trimmed(summary.lines),
    ...below.map((section) => `${headingLine(section)}\n${trimmed(section.lines)}`),
  ];
  return parts.join('\n\n').trim();
}

function firstParagraphs(sections: readonly Section[]): string {
  const parts = sections.flatMap((section) => {
    const paragraph = firstParagraph(section.lines);
    if (section.level === 0) return paragraph === '' ? [] : [paragraph];
    return [paragraph === '' ? headingLine(section) : `${headingLine(section)}\n${paragraph}`];
  });
  return parts.join('\n\n');
}

/** The first one in words: code and comments say little without the rest. */
function firstParagraph(lines: readonly Line[]): string {
  const isProse = ({ text, isCode }: Line) => !isCode && text.trim() !== '' && !text.trim().startsWith('<!--');
  const start = lines.findIndex(isProse);
  if (start === -1) return '';
  const length = lines.slice(start).findIndex((line) => !isProse(line));
  return trimmed(lines.slice(start, length === -1 ? undefined : start + length));
}

const withoutClosingHashes = (title: string) => title.trimEnd().replace(/#+$/, '').trimEnd();

const headingLine = ({ level, title }: Section) => `${'#'.repeat(level)} ${title}`;

const trimmed = (lines: readonly Line[]) =>
  lines
    .map(({ text }) => text)
    .join('\n')
    .trim();

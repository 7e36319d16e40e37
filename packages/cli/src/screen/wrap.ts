import { fitStart, widthOf } from './columns.js';
import { visible } from './visible.js';

const TAB = '    ';

/** Foreign text of several lines: keeps its line breaks and indents, breaks long lines, obeys nothing. */
export const paragraphs = (text: string, columns: number): string[] =>
  text
    .trimEnd()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line) => {
      const whole = visible(line.replaceAll('\t', TAB));
      const indent = ' '.repeat(Math.min(whole.search(/\S|$/), Math.floor(columns / 2)));
      return wrapWords(whole.trimStart(), columns - indent.length).map((part) => `${indent}${part}`.trimEnd());
    });

/** Lines that are broken between words; a word longer than a line is broken anywhere. */
export function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakAnywhere(word, columns);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

/** Lines of data, where spaces count and words do not. */
export function breakAnywhere(text: string, columns: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > columns) {
    const line = fitStart(rest, columns) || [...rest].slice(0, 1).join('');
    lines.push(line);
    rest = rest.slice(line.length);
  }
  return [...lines, rest];
}

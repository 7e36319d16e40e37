import { visible } from './visible.js';
import { wrapWords } from './wrap.js';

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

import { OUTPUT_BUFFER_SIZE } from './constants.js';

/** The end of a terminal's output, in whole lines: the source of a handoff without a transcript. */
export function capturedOutput(text: string): string {
  if (text.length <= OUTPUT_BUFFER_SIZE) return text;
  const tail = text.slice(-OUTPUT_BUFFER_SIZE);
  const isAtLine = text.at(-OUTPUT_BUFFER_SIZE - 1) === '\n';
  return isAtLine ? tail : tail.slice(tail.indexOf('\n') + 1).replace(/^[\udc00-\udfff]/, '');
}

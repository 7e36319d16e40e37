import { OUTPUT_BUFFER_SIZE } from './constants.js';

/** The end of what a terminal printed, in whole lines: what a renewal reads a handoff from where there is no transcript. */
export function capturedOutput(text: string): string {
  if (text.length <= OUTPUT_BUFFER_SIZE) return text;
  const tail = text.slice(-OUTPUT_BUFFER_SIZE);
  const isAtLine = text.at(-OUTPUT_BUFFER_SIZE - 1) === '\n';
  return isAtLine ? tail : tail.slice(tail.indexOf('\n') + 1).replace(/^[\udc00-\udfff]/, '');
}

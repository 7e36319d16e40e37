import { isSpace } from './characters.js';
import { skipString } from './skip-string.js';

/**
 * Whether `text` repeats the tokens of `beginning` from the first one, ignoring white space. A string still open at
 * the end of `beginning` must continue with its content.
 */
export function isRetoldFrom(beginning: string, text: string): boolean {
  let at = 0;
  let told = 0;
  while (true) {
    const tokenEnd = at;
    at = skipSpace(beginning, at);
    told = skipSpace(text, told);
    if (at === beginning.length) {
      // White space ended the last token, so it must have ended in the text too: `[1 ` is no beginning of `[12`.
      return tokenEnd === at || !(isWordChar(beginning[tokenEnd - 1]) && isWordChar(text[told]));
    }
    const length = beginning[at] === '"' ? stringLength(beginning, at) : 1;
    if (!text.startsWith(beginning.slice(at, at + length), told)) return false;
    at += length;
    told += length;
  }
}

function stringLength(text: string, start: number): number {
  const end = skipString(text, start + 1);
  return (end === -1 ? text.length : end) - start;
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index++;
  return index;
}

const isWordChar = (character: string | undefined) => character !== undefined && /[\w.+-]/.test(character);

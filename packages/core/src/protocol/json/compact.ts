import { isSpace } from './characters.js';
import { skipString } from './skip-string.js';

/** The text without the white space between its tokens: two texts that say the same then are the same. */
export function compact(text: string): string {
  let result = '';
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = skipString(text, index + 1);
      if (end === -1) break;
      index = end - 1;
    } else if (isSpace(code)) {
      result += text.slice(from, index);
      from = index + 1;
    }
  }
  return result + text.slice(from);
}

const QUOTE = 0x22;

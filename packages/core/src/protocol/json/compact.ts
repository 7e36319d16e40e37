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

/** A compact text that still knows where each of its characters came from. */
export interface TracedText {
  readonly text: string;
  /** The offset of each character in the original, and behind the last one the original's length. */
  readonly offsets: Int32Array;
  /** 1 for text read inside a string: its characters and its closing quote, but not the opening one. */
  readonly quoted: Uint8Array;
}

/** As `compact`, for text that may begin inside a string. */
export function traceTokens(text: string, startsInString = false): TracedText {
  const offsets = new Int32Array(text.length + 1);
  const quoted = new Uint8Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  let inString = startsInString;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (!inString && isSpace(code)) {
      if (from < index) pieces.push(text.slice(from, index));
      from = index + 1;
      continue;
    }
    quoted[length] = inString ? 1 : 0;
    offsets[length++] = index;
    if (code === QUOTE) {
      inString = !inString;
    } else if (code === BACKSLASH && inString && index + 1 < text.length) {
      quoted[length] = 1;
      offsets[length++] = ++index;
    }
  }
  pieces.push(text.slice(from));
  quoted[length] = inString ? 1 : 0;
  offsets[length] = text.length;
  return { text: pieces.join(''), offsets: offsets.subarray(0, length + 1), quoted: quoted.subarray(0, length + 1) };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

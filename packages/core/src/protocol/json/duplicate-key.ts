import { isSpace } from './characters.js';
import { skipString } from './skip-string.js';

/**
 * The first key that some object holds twice, or `undefined`. The text may be cut off; the rest must be JSON.
 *
 * `JSON.parse` keeps the last of two values and silently drops the other, so a text with a duplicate key is ambiguous.
 */
export function duplicateKey(text: string): string | undefined {
  const openContainers: (Set<string> | 'array')[] = [];
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '{':
        openContainers.push(new Set());
        break;
      case '[':
        openContainers.push('array');
        break;
      case '}':
      case ']':
        openContainers.pop();
        break;
      case '"': {
        const end = skipString(text, index + 1);
        if (end === -1) return undefined;
        const keys = openContainers.at(-1);
        if (keys instanceof Set && isFollowedByColon(text, end)) {
          const key = decodeString(text.slice(index, end));
          if (keys.has(key)) return key;
          keys.add(key);
        }
        index = end - 1;
        break;
      }
      default:
    }
  }
  return undefined;
}

function isFollowedByColon(text: string, from: number): boolean {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index++;
  return text[index] === ':';
}

/** `"a"` and `"\u0061"` are the same key. */
const decodeString = (token: string): string => (token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1));

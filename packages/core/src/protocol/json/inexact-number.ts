import { isDigit } from './characters.js';
import { skipString } from './skip-string.js';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SAFE_DIGITS = 15;

/**
 * The first number in a JSON text that `JSON.parse` would change: an integer too long to keep, or an infinite one.
 * Fractions are rounded everywhere, and accepted.
 */
export function inexactNumber(json: string): string | undefined {
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) {
      index = skipString(json, index + 1) - 1;
    } else if (isDigit(code) || code === MINUS) {
      NUMBER.lastIndex = index;
      const token = NUMBER.exec(json)?.[0] ?? json.charAt(index);
      if (isInexact(token)) return token;
      index += token.length - 1;
    }
  }
  return undefined;
}

function isInexact(token: string): boolean {
  if (token.length <= SAFE_DIGITS && !/[eE]/.test(token)) return false;
  if (!Number.isFinite(Number(token))) return true;
  return /^-?\d+$/.test(token) && String(Number(token)) !== token;
}

const QUOTE = 0x22;
const MINUS = 0x2d;

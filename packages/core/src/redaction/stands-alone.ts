import { characterSet } from './character-set.js';

/** What a text may hold in front of a word although it ends with a letter or digit: `\n`, `\u001b[31m`, `%3D`. */
const WRITTEN_OUT = /\\[nrtbfv]$|\\u[0-9A-Fa-f]{4}$|\\x[0-9A-Fa-f]{2}$|\[[\d;]{0,12}m$|%[0-9A-Fa-f]{2}$/;
const LONGEST_WRITTEN_OUT = 14;

/** Whether a word can begin here: nothing that belongs to words stands before it. */
export function standsAlone(text: string, at: number): boolean {
  if (at === 0 || !isWordCharacter(text.charCodeAt(at - 1))) return true;
  return mayBeWrittenOut(text, at) && WRITTEN_OUT.test(text.slice(Math.max(0, at - LONGEST_WRITTEN_OUT), at));
}

const isWordCharacter = characterSet(/[\w-]/);

const mayBeWrittenOut = (text: string, at: number) =>
  text[at - 1] === 'm' ||
  text[at - 3] === '%' ||
  text[at - 2] === '\\' ||
  text[at - 4] === '\\' ||
  text[at - 6] === '\\';

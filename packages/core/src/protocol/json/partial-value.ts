import { isSpace } from './characters.js';
import { skipString } from './skip-string.js';

/**
 * Content of a JSON text, as far as it goes. `end` is the end of the value, `undefined` if the text ended first.
 * Evidence for a comparison, never a value itself.
 */
export type PartialValue = PartialObject | PartialArray | PartialScalar;

export interface PartialObject {
  readonly kind: 'object';
  readonly start: number;
  end: number | undefined;
  readonly members: Map<string, PartialValue>;
  /** A key whose value has not begun; it may be cut off itself. */
  pendingKey: PartialScalar | undefined;
}

export interface PartialArray {
  readonly kind: 'array';
  readonly start: number;
  end: number | undefined;
  readonly items: PartialValue[];
}

export interface PartialScalar {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number | undefined;
  /** A string decoded behind its quote, or the letters of a literal, or the digits of a number. */
  readonly text: string;
}

type Container = PartialObject | PartialArray;

/**
 * Reads the values of an array from its first one on, up to the end of that array, of the text, or to the first token
 * that does not belong there.
 */
export function readItems(text: string): PartialArray {
  const root: PartialArray = { kind: 'array', start: -1, end: undefined, items: [] };
  const open: Container[] = [root];
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const container = open.at(-1) as Container;
    if (isSpace(code) || code === COMMA || code === COLON) {
      index++;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      container.end = ++index;
      open.pop();
      if (open.length === 0) break;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      const value = opened(code, index++);
      if (!add(container, value)) break;
      open.push(value);
    } else {
      const scalar = readScalar(text, index);
      if (scalar === undefined || !add(container, scalar)) break;
      index = scalar.end ?? text.length;
    }
  }
  return root;
}

const opened = (code: number, start: number): Container =>
  code === OPEN_BRACE
    ? { kind: 'object', start, end: undefined, members: new Map(), pendingKey: undefined }
    : { kind: 'array', start, end: undefined, items: [] };

/** `false` where the grammar does not allow the value here. */
function add(container: Container, value: PartialValue): boolean {
  if (container.kind === 'array') {
    container.items.push(value);
  } else if (container.pendingKey !== undefined) {
    container.members.set(container.pendingKey.text, value);
    container.pendingKey = undefined;
  } else {
    if (value.kind !== 'scalar' || !value.text.startsWith('"')) return false;
    container.pendingKey = value;
  }
  return true;
}

function readScalar(text: string, start: number): PartialScalar | undefined {
  if (text.charCodeAt(start) === QUOTE) {
    const end = skipString(text, start + 1);
    const isOpen = end === -1;
    return {
      kind: 'scalar',
      start,
      end: isOpen ? undefined : end,
      text: `"${decode(text.slice(start + 1, isOpen ? text.length : end - 1))}`,
    };
  }
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return undefined;
  const end = start + word.length;
  // A word that touches the end of the text may continue.
  return end === text.length
    ? { kind: 'scalar', start, end: undefined, text: word }
    : { kind: 'scalar', start, end, text: spelled(word) };
}

const WORD = /[\w.+-]+/y;

/** `1.0`, `1` and `10e-1` are the same number. */
function spelled(word: string): string {
  const number = Number(word);
  return Number.isSafeInteger(number) ? String(number) : word;
}

/** The characters of a string; of an escape that is cut off, nothing. */
function decode(content: string): string {
  if (!content.includes('\\')) return content;
  const whole = content.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, '$1');
  try {
    return String(JSON.parse(`"${whole}"`));
  } catch {
    return content;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

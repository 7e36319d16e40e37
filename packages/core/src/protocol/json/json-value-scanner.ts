import { hexDigit, isDigit, isHighSurrogate, isSimpleEscape, isSpace, literalOf } from './characters.js';
import { skipString, trailingBackslashes } from './skip-string.js';
import { TextWindow } from './text-window.js';

/** Where the text ended: before any value, between two tokens, or inside a token. */
export type CutIn = 'start' | 'structure' | 'key' | 'string' | 'number' | 'literal';

/** Where a value that has not ended may be taken up again. Offsets count UTF-16 units from the first text written. */
export type OpenEnd = { readonly lastTokenEnd: number; readonly resumableEnd: number; readonly cutIn: CutIn };

/** How the insides of strings are read: `structure` sees only where they end, and is many times faster on long ones. */
export type StringCare = 'structure' | 'content';

// What comes next, or what we are in. Plain constants of this file, as are the character codes below: V8 folds
// these into the hot loop, but neither imported bindings nor the members of an enum (measured: half the speed).
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const AFTER_KEY = 4;
const AFTER_VALUE = 5;
const IN_STRING = 6;
const IN_ESCAPE = 7;
const IN_HEX = 8;
const IN_LITERAL = 9;
const AFTER_MINUS = 10;
const AFTER_ZERO = 11;
const IN_INTEGER = 12;
const AFTER_POINT = 13;
const IN_FRACTION = 14;
const AFTER_E = 15;
const AFTER_E_SIGN = 16;
const IN_EXPONENT = 17;
const DONE = 18;
const BROKEN = 19;

const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Short strings are walked, long ones searched: below this a search costs more than it saves. */
const WALKED_CHARS = 24;

/**
 * Follows the grammar of one JSON value over a stream of text, in one pass, keeping only its nesting stack.
 *
 * It reports whether the value is complete, whether it can still become complete, and where its last token ended. It
 * builds no values, so it can be faster than a parser.
 */
export class JsonValueScanner {
  #state: number = VALUE;
  #depth = 0;
  #objects = new Uint8Array(64); // 1 where the container at that depth is an object
  #inKey = false;
  #literal = 'true';
  #literalRead = 0;
  #literalEnd = -1;
  #beforeLiteral = 0;
  #lastTokenEnd: number;
  #length: number;
  #lastCode = 0;
  #escapeStart = 0;
  #hexRead = 0;
  #hexValue = 0;
  #highEscapeStart = -1;
  #highEscapeEnd = -1;
  #skipped = false;
  readonly #window: TextWindow;
  readonly #care: StringCare;

  constructor(care: StringCare = 'content', start = 0, window = new TextWindow()) {
    this.#care = care;
    this.#length = start;
    this.#lastTokenEnd = start;
    this.#window = window;
  }

  get done(): boolean {
    return this.#state === DONE;
  }

  get broken(): boolean {
    return this.#state === BROKEN;
  }

  /** Whether the inside of some string was passed over unread: then a verdict of "not complete" may be too kind. */
  get skipped(): boolean {
    return this.#skipped;
  }

  /** The offset up to which text was taken: where the value ended, where it broke the grammar, or where the text did. */
  get length(): number {
    return this.#length;
  }

  /** A copy in the same position, for trying several continuations of one text. */
  fork(): JsonValueScanner {
    const copy = new JsonValueScanner(this.#care, 0, this.#window);
    copy.#state = this.#state;
    copy.#depth = this.#depth;
    copy.#objects = this.#objects.slice();
    copy.#inKey = this.#inKey;
    copy.#literal = this.#literal;
    copy.#literalRead = this.#literalRead;
    copy.#literalEnd = this.#literalEnd;
    copy.#beforeLiteral = this.#beforeLiteral;
    copy.#lastTokenEnd = this.#lastTokenEnd;
    copy.#length = this.#length;
    copy.#lastCode = this.#lastCode;
    copy.#escapeStart = this.#escapeStart;
    copy.#hexRead = this.#hexRead;
    copy.#hexValue = this.#hexValue;
    copy.#highEscapeStart = this.#highEscapeStart;
    copy.#highEscapeEnd = this.#highEscapeEnd;
    copy.#skipped = this.#skipped;
    return copy;
  }

  /** Takes `chunk` from index `from`. Returns where it stopped: at the chunk's end, the value's end, or the error. */
  write(chunk: string, from = 0): number {
    const base = this.#length - from;
    let index = from;
    while (index < chunk.length && this.#state < DONE) index = this.#scanWindow(chunk, index, base);
    if (index > from) this.#lastCode = chunk.charCodeAt(index - 1);
    this.#length = base + index;
    return index;
  }

  /**
   * Meaning of the end of the text here: `undefined` if the value is complete.
   *
   * A number at the top level is complete when the text just ends. If the model was cut off, a number or a literal
   * that touches the end may be incomplete, so it does not count as a token.
   */
  openEnd({ cutOff }: { readonly cutOff: boolean }): OpenEnd | undefined {
    if (cutOff && this.#literalEnd === this.#length) return cutBehind(this.#beforeLiteral, 'literal');
    switch (this.#state) {
      case DONE:
        return undefined;
      case IN_STRING:
      case IN_ESCAPE:
      case IN_HEX:
        return {
          lastTokenEnd: this.#lastTokenEnd,
          resumableEnd: this.#resumableInString(),
          cutIn: this.#inKey ? 'key' : 'string',
        };
      case IN_LITERAL:
        return cutBehind(this.#lastTokenEnd, 'literal');
      case AFTER_ZERO:
      case IN_INTEGER:
      case IN_FRACTION:
      case IN_EXPONENT:
        return this.#depth === 0 && !cutOff ? undefined : cutBehind(this.#lastTokenEnd, 'number');
      case AFTER_MINUS:
      case AFTER_POINT:
      case AFTER_E:
      case AFTER_E_SIGN:
        return cutBehind(this.#lastTokenEnd, 'number');
      default:
        return cutBehind(this.#lastTokenEnd, this.#depth === 0 ? 'start' : 'structure');
    }
  }

  // The one long function of this file: keeping state in locals makes the loop fast.
  #scanWindow(chunk: string, origin: number, base: number): number {
    const end = this.#window.load(chunk, origin) - origin;
    const bytes = this.#window.bytes;
    const offset = base + origin; // of the window's first character
    let objects = this.#objects;
    let depth = this.#depth;
    let inObject = depth > 0 && objects[depth - 1] === 1;
    let state = this.#state;
    let inKey = this.#inKey;
    const skipsStrings = this.#care === 'structure';
    let lastTokenEnd = this.#lastTokenEnd - offset;
    let at = 0;
    let resumeAt = -1; // an index in the chunk, where a search went beyond the window

    scan: while (at < end) {
      const code = bytes[at] as number;
      if (code <= SPACE && state <= AFTER_VALUE && isSpace(code)) {
        at++;
        continue;
      }
      switch (state) {
        case AFTER_VALUE:
          if (code === COMMA) {
            state = inObject ? KEY : VALUE;
            lastTokenEnd = ++at;
          } else if (code === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
            depth--;
            inObject = depth > 0 && objects[depth - 1] === 1;
            lastTokenEnd = ++at;
            if (depth === 0) state = DONE;
          } else {
            state = BROKEN;
          }
          break;

        case KEY:
        case KEY_OR_END:
          if (code === QUOTE) {
            at = plainEnd(bytes, at + 1, end);
            if (at + 1 < end && bytes[at] === QUOTE && bytes[at + 1] === COLON) {
              lastTokenEnd = at += 2;
              state = VALUE;
            } else {
              state = IN_STRING;
              inKey = true;
            }
          } else if (code === CLOSE_BRACE && state === KEY_OR_END) {
            state = AFTER_VALUE; // which closes the object
          } else {
            state = BROKEN;
          }
          break;

        case AFTER_KEY:
          if (code === COLON) {
            state = VALUE;
            lastTokenEnd = ++at;
          } else {
            state = BROKEN;
          }
          break;

        case VALUE:
        case VALUE_OR_END:
          if (code === QUOTE) {
            at = plainEnd(bytes, at + 1, end);
            if (at + 1 < end && bytes[at] === QUOTE && bytes[at + 1] === COMMA && depth > 0) {
              lastTokenEnd = at += 2;
              state = inObject ? KEY : VALUE;
            } else {
              state = IN_STRING;
              inKey = false;
            }
          } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
            inObject = code === OPEN_BRACE;
            if (depth === objects.length) objects = this.#growStack();
            objects[depth++] = inObject ? 1 : 0;
            state = inObject ? KEY_OR_END : VALUE_OR_END;
            lastTokenEnd = ++at;
          } else if (code > ZERO && code <= NINE) {
            at = digitsEnd(bytes, at + 1, end);
            if (at < end && bytes[at] === COMMA && depth > 0) {
              lastTokenEnd = ++at;
              state = inObject ? KEY : VALUE;
            } else {
              state = IN_INTEGER;
            }
          } else if (code === CLOSE_BRACKET && state === VALUE_OR_END) {
            state = AFTER_VALUE; // which closes the array
          } else if (code === MINUS || code === ZERO) {
            state = code === ZERO ? AFTER_ZERO : AFTER_MINUS;
            at++;
          } else {
            const length = literalLength(bytes, at, end);
            if (length > 0) {
              this.#beforeLiteral = offset + lastTokenEnd;
              lastTokenEnd = at += length;
              this.#literalEnd = offset + at;
              state = depth === 0 ? DONE : AFTER_VALUE;
            } else {
              state = this.#startLiteral(code); // a literal that the window cuts, or an error
              at += state === BROKEN ? 0 : 1;
            }
          }
          break;

        case IN_STRING: {
          const searchFrom = skipsStrings ? at + WALKED_CHARS : end + 1;
          while (at < end) {
            const inside = bytes[at] as number;
            if (inside === QUOTE) {
              lastTokenEnd = ++at;
              state = inKey ? AFTER_KEY : depth === 0 ? DONE : AFTER_VALUE;
              break;
            }
            if (inside < SPACE) {
              state = BROKEN;
              break;
            }
            if (inside === BACKSLASH) {
              if (at + 1 === end || !isSimpleEscape(bytes[at + 1] as number)) {
                this.#startEscape(chunk, origin + at, offset + at);
                state = IN_ESCAPE;
                at++;
                break;
              }
              at++;
            }
            at++;
            if (at >= searchFrom) {
              this.#skipped = true;
              const behind = skipString(chunk, origin + at);
              resumeAt = behind === -1 ? chunk.length : behind;
              if (behind !== -1) {
                lastTokenEnd = behind - origin;
                state = inKey ? AFTER_KEY : depth === 0 ? DONE : AFTER_VALUE;
              } else if (trailingBackslashes(chunk, origin + at) % 2 === 1) {
                this.#startEscape(chunk, chunk.length - 1, base + chunk.length - 1);
                state = IN_ESCAPE;
              }
              break scan;
            }
          }
          break;
        }

        case IN_INTEGER:
        case IN_FRACTION:
        case IN_EXPONENT: {
          at = digitsEnd(bytes, at, end);
          if (at === end) break;
          const digit = bytes[at];
          if (digit === POINT && state === IN_INTEGER) {
            state = AFTER_POINT;
            at++;
          } else if ((digit === LOWER_E || digit === UPPER_E) && state !== IN_EXPONENT) {
            state = AFTER_E;
            at++;
          } else {
            lastTokenEnd = at;
            state = depth === 0 ? DONE : AFTER_VALUE;
          }
          break;
        }

        case IN_LITERAL:
          if (code !== this.#literal.charCodeAt(this.#literalRead)) {
            state = BROKEN;
            break;
          }
          at++;
          if (++this.#literalRead === this.#literal.length) {
            this.#beforeLiteral = offset + lastTokenEnd;
            this.#literalEnd = offset + at;
            lastTokenEnd = at;
            state = depth === 0 ? DONE : AFTER_VALUE;
          }
          break;

        case IN_ESCAPE:
        case IN_HEX:
          state = this.#escaped(state, code, offset + at);
          at += state === BROKEN ? 0 : 1;
          break;

        case AFTER_ZERO:
          if (code === POINT || code === LOWER_E || code === UPPER_E) {
            state = code === POINT ? AFTER_POINT : AFTER_E;
            at++;
          } else {
            lastTokenEnd = at;
            state = depth === 0 ? DONE : AFTER_VALUE;
          }
          break;

        default: // AFTER_MINUS, AFTER_POINT, AFTER_E, AFTER_E_SIGN: a digit must follow
          state = afterNumberSign(state, code);
          at += state === BROKEN ? 0 : 1;
      }
      if (state >= DONE) break;
    }

    this.#state = state;
    this.#depth = depth;
    this.#inKey = inKey;
    this.#lastTokenEnd = lastTokenEnd + offset;
    return resumeAt === -1 ? origin + at : resumeAt;
  }

  #startLiteral(code: number): number {
    const literal = literalOf(code);
    if (literal === undefined) return BROKEN;
    this.#literal = literal;
    this.#literalRead = 1;
    return IN_LITERAL;
  }

  /** A raw high surrogate may pair with an escaped low one, so neither may be cut from the other. */
  #startEscape(chunk: string, index: number, offset: number): void {
    const before = index > 0 ? chunk.charCodeAt(index - 1) : this.#lastCode;
    this.#escapeStart = isHighSurrogate(before) ? offset - 1 : offset;
  }

  #escaped(state: number, code: number, offset: number): number {
    if (state === IN_ESCAPE) {
      if (code !== LOWER_U) return isSimpleEscape(code) ? IN_STRING : BROKEN;
      this.#hexRead = 0;
      this.#hexValue = 0;
      return IN_HEX;
    }
    const digit = hexDigit(code);
    if (digit === -1) return BROKEN;
    this.#hexValue = this.#hexValue * 16 + digit;
    if (++this.#hexRead < 4) return IN_HEX;
    if (isHighSurrogate(this.#hexValue)) {
      this.#highEscapeStart = this.#escapeStart;
      this.#highEscapeEnd = offset + 1;
    }
    return IN_STRING;
  }

  /** The last boundary in an open string that neither an escape nor a surrogate pair crosses. */
  #resumableInString(): number {
    const end = this.#state === IN_STRING ? this.#length : this.#escapeStart;
    if (end === this.#highEscapeEnd) return this.#highEscapeStart;
    return this.#state === IN_STRING && isHighSurrogate(this.#lastCode) ? end - 1 : end;
  }

  #growStack(): Uint8Array<ArrayBuffer> {
    const larger = new Uint8Array(this.#objects.length * 2);
    larger.set(this.#objects);
    this.#objects = larger;
    return larger;
  }
}

const cutBehind = (lastTokenEnd: number, cutIn: CutIn): OpenEnd => ({
  lastTokenEnd,
  resumableEnd: lastTokenEnd,
  cutIn,
});

/** The first place from `at` on that is no plain character of a string, or where a long string begins to be long. */
function plainEnd(bytes: Uint8Array, from: number, end: number): number {
  const limit = Math.min(end, from + WALKED_CHARS);
  let at = from;
  while (at < limit) {
    const code = bytes[at] as number;
    if (code === QUOTE || code === BACKSLASH || code < SPACE) break;
    at++;
  }
  return at;
}

function digitsEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
  return at;
}

/** How long the literal at this place is, or 0 where none is there to its last letter. */
function literalLength(bytes: Uint8Array, at: number, end: number): number {
  const next = bytes[at + 1];
  switch (bytes[at]) {
    case 0x74: // true
      return at + 4 <= end && next === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === LOWER_E ? 4 : 0;
    case 0x6e: // null
      return at + 4 <= end && next === 0x75 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x6c ? 4 : 0;
    case 0x66: // false
      return at + 5 <= end &&
        next === 0x61 &&
        bytes[at + 2] === 0x6c &&
        bytes[at + 3] === 0x73 &&
        bytes[at + 4] === LOWER_E
        ? 5
        : 0;
    default:
      return 0;
  }
}

function afterNumberSign(state: number, code: number): number {
  if (!isDigit(code)) {
    const signed = state === AFTER_E && (code === PLUS || code === MINUS);
    return signed ? AFTER_E_SIGN : BROKEN;
  }
  if (state === AFTER_MINUS) return code === ZERO ? AFTER_ZERO : IN_INTEGER;
  return state === AFTER_POINT ? IN_FRACTION : IN_EXPONENT;
}

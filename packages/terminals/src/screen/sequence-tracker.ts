/**
 * Tracks whether terminal output is between two sequences. A screen can only be saved there: half-read input is not on
 * it.
 */
export interface SequenceTracker {
  push(chunk: Uint8Array): void;
  /** Neither in an escape sequence, nor in a string such as a title, nor in a character of several bytes. */
  readonly atRest: boolean;
}

// Numbers, and one loop: every byte of every terminal goes through it.
const GROUND = 0;
const ESCAPE = 1;
const SEQUENCE = 2;
const STRING = 3;
const STRING_ESCAPE = 4;

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;

export function createSequenceTracker(): SequenceTracker {
  let state = GROUND;
  let missing = 0; // bytes of a character

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        if (state === GROUND) {
          if (byte === ESC) state = ESCAPE;
          missing = byte < 0x80 ? 0 : missingAfter(byte, missing);
        } else if (state === SEQUENCE) {
          if (byte === ESC) state = ESCAPE;
          else if ((byte >= 0x40 && byte <= 0x7e) || byte === CAN || byte === SUB) state = GROUND;
        } else if (state === STRING) {
          if (byte === ESC) state = STRING_ESCAPE;
          else if (byte === BEL || byte === CAN || byte === SUB) state = GROUND;
        } else if (state === STRING_ESCAPE && byte === 0x5c) state = GROUND;
        else state = afterEscape(byte); // any escape ends a string, not only its own terminator
      }
    },
    get atRest() {
      return state === GROUND && missing === 0;
    },
  };
}

function missingAfter(byte: number, missing: number): number {
  if (byte < 0xc0) return Math.max(0, missing - 1);
  return byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
}

function afterEscape(byte: number): number {
  if (byte === 0x5b) return SEQUENCE;
  if (byte === 0x50 || byte === 0x58 || (byte >= 0x5d && byte <= 0x5f)) return STRING; // DCS, SOS, OSC, PM, APC
  if (byte === ESC || (byte >= 0x20 && byte <= 0x2f)) return ESCAPE; // intermediates: one more follows
  return GROUND;
}

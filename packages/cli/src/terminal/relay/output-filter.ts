import { createTerminalModes, type TerminalModes } from './terminal-modes.js';

/**
 * What an agent prints on its way to the user's terminal: byte for byte, but for its title, which gets a word of ours behind
 * it. What is given out always ends between two sequences, so that something else can be printed then.
 */
export interface OutputFilter {
  push(bytes: Uint8Array): Buffer;
  /** What was held back because its end was still to come. */
  rest(): Buffer;
  /** Whether something else may be printed now: not in the middle of a picture, say. */
  readonly isBetween: boolean;
  readonly modes: TerminalModes;
  /** As the agent set it last. */
  readonly title: string | undefined;
}

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
/** Titles and control sequences are shorter; a picture is not held back for its end. */
const MAX_HELD_BYTES = 8 << 10;

export const createOutputFilter = (decorate: (title: string) => string = (title) => title): OutputFilter =>
  new SequenceFilter(decorate);

class SequenceFilter implements OutputFilter {
  readonly modes = createTerminalModes();
  title: string | undefined;
  private held: Buffer = Buffer.alloc(0);
  private isInString = false;

  constructor(private readonly decorate: (title: string) => string) {}

  get isBetween(): boolean {
    return !this.isInString;
  }

  push(bytes: Uint8Array): Buffer {
    const chunk = this.held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.held, bytes]);
    this.held = Buffer.alloc(0);
    if (!this.isInString) return this.filter(chunk, 0);
    const end = endOfString(chunk, 0);
    this.isInString = end === -1;
    return this.isInString ? chunk : this.filter(chunk, end);
  }

  rest(): Buffer {
    const left = this.held;
    this.held = Buffer.alloc(0);
    return left;
  }

  /** `from`: what is before it goes out as it is. */
  private filter(chunk: Buffer, from: number): Buffer {
    const out = [chunk.subarray(0, from)];
    for (let at = from; at < chunk.length; ) {
      const begin = chunk.indexOf(ESC, at);
      if (begin === -1) {
        const whole = at + wholeCharacters(chunk.subarray(at));
        out.push(chunk.subarray(at, whole));
        this.held = chunk.subarray(whole);
        break;
      }
      out.push(chunk.subarray(at, begin));
      const end = endOfSequence(chunk, begin);
      if (end === -1) {
        const rest = chunk.subarray(begin);
        this.isInString = rest.length > MAX_HELD_BYTES;
        if (this.isInString) out.push(rest);
        else this.held = rest;
        break;
      }
      out.push(this.seen(chunk.subarray(begin, end)));
      at = end;
    }
    return Buffer.concat(out);
  }

  private seen(sequence: Buffer): Buffer {
    const kind = sequence[1];
    if (kind !== 0x5d) {
      if (sequence.length <= MAX_CONTROL_BYTES) this.modes.see(sequence.toString('latin1'));
      return sequence;
    }
    const [, command, given = '', end = ''] = TITLE.exec(sequence.toString('utf8')) ?? [];
    if (command === undefined) return sequence;
    this.title = given;
    const decorated = this.decorate(given);
    return decorated === given ? sequence : Buffer.from(`\u001b]${command};${decorated}${end}`);
  }
}

const MAX_CONTROL_BYTES = 128;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a title begins and ends with
const TITLE = /^\u001b\]([02]);([^\u0000-\u001f\u007f]*)(\u0007|\u001b\\)$/;

/** Where the sequence that begins at `from` is over, or -1 where it is not over yet. */
function endOfSequence(chunk: Buffer, from: number): number {
  const kind = chunk[from + 1];
  if (kind === undefined) return -1;
  if (kind === 0x5b) return endOfControl(chunk, from + 2);
  if (kind === 0x50 || kind === 0x58 || (kind >= 0x5d && kind <= 0x5f)) return endOfString(chunk, from + 2);
  if (kind === ESC) return from + 1; // the first one was cancelled
  let at = from + 1;
  while (at < chunk.length && isIntermediate(chunk[at])) at++;
  return at < chunk.length ? at + 1 : -1;
}

function endOfControl(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === ESC) return at;
    if ((byte >= 0x40 && byte <= 0x7e) || byte === CAN || byte === SUB) return at + 1;
  }
  return -1;
}

function endOfString(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at];
    if (byte === BEL || byte === CAN || byte === SUB) return at + 1;
    if (byte !== ESC) continue;
    if (at + 1 === chunk.length) return -1;
    return chunk[at + 1] === 0x5c ? at + 2 : at;
  }
  return -1;
}

const isIntermediate = (byte: number | undefined) => byte !== undefined && byte >= 0x20 && byte <= 0x2f;

/** How many bytes there are without the beginning of a character at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < needed ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const WINDOW_CHARS = 2048;
/** Below this many characters a loop is faster than a call into the encoder. */
const COPIED_CHARS = 48;
/** Represents every character outside ASCII: the grammar only allows those inside strings, where all are alike. */
const NOT_ASCII = 0xff;

const encoder = new TextEncoder();

/**
 * A stretch of text as bytes, one byte a UTF-16 unit, so that offsets in both are the same.
 *
 * Reading a typed array is several times faster than `charCodeAt`, which looks up how the string is stored at
 * every call; this is where most of the detector's speed comes from.
 */
export class TextWindow {
  bytes = new Uint8Array(COPIED_CHARS); // grows on demand: most answers are short

  /** Fills the window with `text` from `start`; returns the index behind the last character loaded. */
  load(text: string, start: number): number {
    const end = Math.min(text.length, start + WINDOW_CHARS);
    if (end - start > this.bytes.length) this.bytes = new Uint8Array(end - start);
    if (end - start < COPIED_CHARS || !this.#encode(text, start, end)) this.#copy(text, start, end);
    return end;
  }

  /** ASCII encodes to itself: as many bytes written as characters read. Anything else does not fit or is longer. */
  #encode(text: string, start: number, end: number): boolean {
    const { read, written } = encoder.encodeInto(text.slice(start, end), this.bytes);
    return read === end - start && written === read;
  }

  #copy(text: string, start: number, end: number): void {
    const { bytes } = this;
    for (let index = start; index < end; index++) {
      const code = text.charCodeAt(index);
      bytes[index - start] = code < 0x80 ? code : NOT_ASCII;
    }
  }
}

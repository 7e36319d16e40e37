import type { LinePosition } from '@devs/core';
import { parseObject } from './json.js';

/** How far a transcript was read: reading continues here when the file has grown. */
export interface ReadPosition extends LinePosition {
  /** The record before it was whole, and its line break had not been written yet: the rest of that line is not a line. */
  readonly isInLine?: boolean;
}

/**
 * Cuts bytes into lines. What follows the last line break waits for the rest, unless it is a whole record.
 *
 * The bytes of a line are lent for the call only.
 */
export function createLineSplitter(start: ReadPosition, onLine: (line: Buffer, position: LinePosition) => void) {
  let { byteOffset, line, isInLine = false } = start;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let overlong = 0;

  const finish = (last: Buffer, breakBytes: number) => {
    const bytes = waitingBytes + last.length;
    if (isInLine) isInLine = false;
    else {
      if (bytes > MAX_LINE_BYTES) overlong++;
      else onLine(waiting.length === 0 ? last : Buffer.concat([...waiting, last]), { line, byteOffset });
      line += 1;
    }
    byteOffset += bytes + breakBytes;
    waiting = [];
    waitingBytes = 0;
  };

  return {
    add(chunk: Buffer) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        finish(chunk.subarray(from, end), 1);
        from = end + 1;
      }
      const rest = chunk.subarray(from);
      waitingBytes += rest.length;
      // A line that is too long is only counted: a file without line breaks must not fill the memory.
      if (waitingBytes > MAX_LINE_BYTES) waiting = [];
      else if (rest.length > 0) waiting.push(Buffer.from(rest));
    },
    /** The file ends here for now. */
    end() {
      if (isInLine || waiting.length === 0 || !isWhole(waiting)) return;
      finish(NOTHING, 0);
      isInLine = true;
    },
    position: (): ReadPosition => ({ line, byteOffset, ...(isInLine ? { isInLine } : {}) }),
    overlongLines: () => overlong,
  };
}

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
const NOTHING = Buffer.alloc(0);
const MAX_LINE_BYTES = 64 << 20;

/** A record ends with a brace: otherwise more will follow, and it need not be parsed. */
const isWhole = (waiting: readonly Buffer[]): boolean =>
  waiting.at(-1)?.at(-1) === CLOSING_BRACE && parseObject(Buffer.concat(waiting).toString('utf8')) !== undefined;

import type { LinePosition } from '@devs/core';
import { parseObject } from './json.js';

/** Cuts bytes into lines. What follows the last line break waits for the rest, unless it is a whole record. */
export function createLineSplitter(start: LinePosition, onLine: (line: string, position: LinePosition) => void) {
  let { byteOffset, line } = start;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let overlong = 0;

  const finish = (last: Buffer, breakBytes: number) => {
    const bytes = waitingBytes + last.length;
    if (bytes > LONGEST_LINE_BYTES) overlong++;
    else onLine(decode(waiting, last), { line, byteOffset });
    byteOffset += bytes + breakBytes;
    line += 1;
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
      if (waitingBytes > LONGEST_LINE_BYTES) waiting = [];
      else if (rest.length > 0) waiting.push(Buffer.from(rest));
    },
    /** The file ends here for now. */
    end() {
      const isWhole = waitingBytes > 0 && waiting.length > 0 && parseObject(Buffer.concat(waiting).toString('utf8'));
      if (isWhole) finish(Buffer.alloc(0), 0);
    },
    position: (): LinePosition => ({ line, byteOffset }),
    overlongLines: () => overlong,
  };
}

const NEWLINE = 0x0a;
const LONGEST_LINE_BYTES = 64 << 20;

const decode = (waiting: readonly Buffer[], last: Buffer): string =>
  waiting.length === 0 ? last.toString('utf8') : Buffer.concat([...waiting, last]).toString('utf8');

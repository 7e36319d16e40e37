export type Line = { readonly text: string } | { readonly tooLong: true };

export interface LineSplitter {
  /** The lines that this chunk completes. */
  push(chunk: Buffer): Line[];
  /** The remaining text at the end of input. */
  end(): Line[];
}

const NEWLINE = 0x0a;

/** Cuts bytes into lines. Of a line longer than `limitBytes` nothing is kept but the fact. */
export function createLineSplitter({ limitBytes }: { readonly limitBytes: number }): LineSplitter {
  // Chunks are joined once, at the end of their line: joining at every chunk costs the square of a long line.
  let parts: Buffer[] = [];
  let size = 0;

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
        add(chunk.subarray(from, to));
        lines.push(take());
        from = to + 1;
      }
      add(chunk.subarray(from));
      return lines;
    },
    end: () => (size === 0 ? [] : [take()]),
  };

  function add(part: Buffer): void {
    size += part.length;
    if (size > limitBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function take(): Line {
    const line: Line = size > limitBytes ? { tooLong: true } : { text: Buffer.concat(parts).toString('utf8') };
    parts = [];
    size = 0;
    return line;
  }
}

const FIRST_BLOCK_BYTES = 4 << 10;
const BLOCK_BYTES = 64 << 10;

/** Some bytes of a ring. They do not change until they are given back. */
export interface Loan {
  readonly bytes: Buffer;
  /** At most once. Blocks never given back are left to the garbage collector. */
  giveBack(): void;
}

/** The last bytes that a terminal printed, by their offset from its first. */
export interface OutputRing {
  /** Offset of the oldest byte still held. */
  readonly start: number;
  /** Offset of the byte that will come next. */
  readonly end: number;
  append(bytes: Buffer): void;
  /** Some bytes from this offset on, at most `limit`; empty at the end. Before `start` it gives the oldest there are. */
  lend(from: number, limit: number): Loan;
}

interface Block {
  offset: number;
  readonly buffer: Buffer;
  used: number;
  loans: number;
}

/**
 * Holds at least the last `limitBytes` and at most one block more; a quiet terminal costs 4 KB. Reuses blocks that are
 * not borrowed: at 50 MB/s, fresh blocks would cost as much time as everything else.
 */
export function createOutputRing(limitBytes: number): OutputRing {
  let blocks: Block[] = [];
  let spare: Block | undefined;
  let end = 0;

  const room = (): Block => {
    const last = blocks.at(-1);
    if (last !== undefined && last.used < last.buffer.length) return last;
    const bytes = last === undefined ? FIRST_BLOCK_BYTES : Math.min(BLOCK_BYTES, last.buffer.length * 4);
    const block = spare ?? { offset: end, buffer: Buffer.allocUnsafeSlow(bytes), used: 0, loans: 0 };
    spare = undefined;
    block.offset = end;
    block.used = 0;
    blocks.push(block);
    return block;
  };
  const dropOld = () => {
    const keep = blocks.findIndex(({ offset, used }) => offset + used > end - limitBytes);
    if (keep <= 0) return;
    for (const dropped of blocks.slice(0, keep)) {
      if (dropped.loans === 0 && dropped.buffer.length === BLOCK_BYTES) spare = dropped;
    }
    blocks = blocks.slice(keep);
  };

  return {
    get start() {
      return blocks[0]?.offset ?? 0;
    },
    get end() {
      return end;
    },
    append(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const block = room();
        const copied = bytes.copy(block.buffer, block.used, at);
        block.used += copied;
        at += copied;
        end += copied;
      }
      dropOld();
    },
    lend(from, limit) {
      const block = blocks.findLast(({ offset }) => offset <= from) ?? blocks[0];
      if (block === undefined) return { bytes: Buffer.alloc(0), giveBack: () => {} };
      const begin = Math.max(0, from - block.offset);
      block.loans += 1;
      return {
        bytes: block.buffer.subarray(begin, Math.min(block.used, begin + limit)),
        giveBack() {
          block.loans -= 1;
        },
      };
    },
  };
}

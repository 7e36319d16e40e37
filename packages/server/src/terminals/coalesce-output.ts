import { encodeFrame } from '@devs/api';
import { createPacer } from '@devs/terminals';

/** Output of one terminal, for all of its viewers. */
export interface OutputChunk {
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** The whole chunk as a message; made once for all viewers that use the same channel. */
  frame(channel: number): Uint8Array;
}

/** One drawing of a terminal often comes in several pieces, and the user waits for each. */
const BURST = 4;
const USUAL_MS = 16;
const HURRY_MS = 4;
/** A larger chunk goes out at once: the lead over a slow viewer is counted in chunks. */
const MAX_CHUNK_BYTES = 128 << 10;
/** How long after a key the terminal is taken to be typed in. */
const TYPING_MS = 1_000;

/** Gathers a stream for a few milliseconds at a time; output after a silence goes out at once. */
export interface OutputCoalescer {
  take(bytes: Uint8Array, offset: number): void;
  flush(): void;
  /** A user is typing and waits for the echo. */
  hurry(): void;
}

export function coalesceOutput(emit: (chunk: OutputChunk) => void, now: () => number = Date.now): OutputCoalescer {
  let parts: Uint8Array[] = [];
  let start = 0;
  let end = 0;
  let typedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const pacer = createPacer({ burst: BURST, everyMs: (at) => (at - typedAt < TYPING_MS ? HURRY_MS : USUAL_MS) });
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (parts.length === 0) return;
    const [first] = parts;
    const bytes = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    parts = [];
    pacer.sent(now());
    emit(chunkOf(bytes, start));
  };
  return {
    take(bytes, offset) {
      if (parts.length > 0 && offset !== end) flush();
      if (parts.length === 0) start = offset;
      parts.push(bytes);
      end = offset + bytes.length;
      if (end - start >= MAX_CHUNK_BYTES) return flush();
      if (timer !== undefined) return;
      const waitMs = pacer.waitMs(now());
      if (waitMs === 0) flush();
      else timer = setTimeout(flush, waitMs);
    },
    flush,
    hurry() {
      typedAt = now();
    },
  };
}

function chunkOf(bytes: Uint8Array, offset: number): OutputChunk {
  const frames = new Map<number, Uint8Array>();
  return {
    bytes,
    offset,
    frame(channel) {
      const known = frames.get(channel) ?? encodeFrame(channel, bytes);
      frames.set(channel, known);
      return known;
    },
  };
}

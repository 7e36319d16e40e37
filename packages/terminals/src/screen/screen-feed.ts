import type { Screen } from './create-screen.js';

/** Puts output on a screen by offset: nothing twice, and missing bytes are counted. */
export interface ScreenFeed {
  take(bytes: Buffer, offset: number): void;
  /** Of what comes next. */
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Offset of the first byte that was not taken yet. */
  readonly offset: number;
  readonly lostBytes: number;
  /** Taken, and not on the screen yet. */
  readonly pendingBytes: number;
  /** Resolves when everything that was taken is on the screen. */
  settled(): Promise<void>;
}

/** Ends a sequence that a gap has cut in two. */
const CANCEL = Buffer.from([0x18]);

export function createScreenFeed(screen: Screen, { from, onDrawn }: { from: number; onDrawn(): void }): ScreenFeed {
  let offset = from;
  let lostBytes = 0;
  let pendingBytes = 0;
  let drawn: Promise<void> = Promise.resolve();

  return {
    take(bytes, at) {
      if (at > offset) {
        lostBytes += at - offset;
        void screen.write(CANCEL);
      }
      const fresh = bytes.subarray(Math.max(0, offset - at));
      if (fresh.length === 0) return;
      offset = at + bytes.length;
      pendingBytes += fresh.length;
      drawn = screen.write(fresh).then(() => {
        pendingBytes -= fresh.length;
        onDrawn();
      });
    },
    resize(size) {
      drawn = screen.resize(size).then(onDrawn);
    },
    get offset() {
      return offset;
    },
    get lostBytes() {
      return lostBytes;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    async settled() {
      for (let last = drawn; ; last = drawn) {
        await last;
        if (last === drawn) return;
      }
    },
  };
}

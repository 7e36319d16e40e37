import type { UserPresence } from '../attendance.js';

/** Windows in which the user sits in front of one terminal. */
export interface Windows {
  readonly isEmpty: boolean;
  /** A call of this window is open until the returned function is called. */
  open(window: string): () => void;
  /** They detached on purpose. */
  leave(window: string): void;
  close(): void;
}

/** A window without an open call for this long is gone. */
const SILENT_MS = 5_000;

/** The user is there while they sit in front of any window (H17). */
export function createWindows(user: (is: UserPresence) => void): Windows {
  const there = new Map<string, { calls: number; silence?: NodeJS.Timeout | undefined }>();
  const remove = (window: string, is: UserPresence) => {
    clearTimeout(there.get(window)?.silence);
    if (there.delete(window) && there.size === 0) user(is);
  };
  return {
    get isEmpty() {
      return there.size === 0;
    },
    open(window) {
      const known = there.get(window) ?? { calls: 0 };
      there.set(window, known);
      clearTimeout(known.silence);
      known.calls += 1;
      if (known.calls === 1) user({ attached: true });
      return () => {
        known.calls -= 1;
        if (known.calls > 0 || there.get(window) !== known) return;
        known.silence = setTimeout(() => remove(window, { attached: false }), SILENT_MS).unref();
      };
    },
    leave: (window) => remove(window, { left: true }),
    close() {
      for (const { silence } of there.values()) clearTimeout(silence);
      there.clear();
    },
  };
}

/** From the byte at this offset on, the terminal has this size. */
export interface SizeChange {
  readonly offset: number;
  readonly columns: number;
  readonly rows: number;
}

/** A change that knows the one after it, once there is one. */
export interface LinkedSize extends SizeChange {
  readonly next: LinkedSize | undefined;
}

/** The sizes of a terminal by the offsets of its output: whoever replays the bytes has to change the size where it was changed. */
export interface SizeHistory {
  /** In order; the first one is that of the oldest byte that is known. */
  readonly all: readonly SizeChange[];
  readonly now: SizeChange;
  add(change: SizeChange): void;
  /** The size for the byte at this offset. */
  at(offset: number): LinkedSize;
}

/** A window that is dragged changes its size many times; so many changes are kept. */
const MOST_CHANGES = 5_000;

export function createSizeHistory(first: SizeChange): SizeHistory {
  interface Link extends SizeChange {
    next: Link | undefined;
  }
  let last: Link = { ...first, next: undefined };
  let links: Link[] = [last];
  return {
    get all() {
      return links.map(({ offset, columns, rows }) => ({ offset, columns, rows }));
    },
    get now() {
      return last;
    },
    add(change) {
      if (last.columns === change.columns && last.rows === change.rows) return;
      const link = { ...change, next: undefined };
      last.next = link;
      last = link;
      links = [...links, link].slice(-MOST_CHANGES);
    },
    at: (offset) => links.findLast((change) => change.offset <= offset) ?? links[0] ?? last,
  };
}

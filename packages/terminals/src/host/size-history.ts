/** From the byte at this offset on, the terminal has this size. */
export interface SizeChange {
  readonly offset: number;
  readonly columns: number;
  readonly rows: number;
}

/** A size change with a link to the next, once there is one. */
export interface LinkedSize extends SizeChange {
  readonly next: LinkedSize | undefined;
}

/** Sizes of a terminal by output offset: a replay must change the size at the same offsets. */
export interface SizeHistory {
  /** In order; the first one is that of the oldest byte that is known. */
  readonly all: readonly SizeChange[];
  readonly now: SizeChange;
  add(change: SizeChange): void;
  /** The size for the byte at this offset. */
  at(offset: number): LinkedSize;
}

/** Dragging a window changes its size many times; this limits the kept changes. */
const MAX_CHANGES = 5_000;

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
      links = [...links, link].slice(-MAX_CHANGES);
    },
    at: (offset) => links.findLast((change) => change.offset <= offset) ?? links[0] ?? last,
  };
}

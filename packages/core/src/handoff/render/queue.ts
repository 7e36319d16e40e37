interface Waiting<Value> {
  readonly value: Value;
  readonly ratio: number;
  /** Of two that are worth the same, the lower one comes first. */
  readonly order: number;
}

/** The one with the highest ratio first: a binary heap. */
export function createQueue<Value>() {
  const heap: Waiting<Value>[] = [];
  const isBefore = (a: Waiting<Value>, b: Waiting<Value>) =>
    a.ratio > b.ratio || (a.ratio === b.ratio && a.order < b.order);
  const at = (index: number) => heap[index] as Waiting<Value>;
  return {
    add(waiting: Waiting<Value>) {
      let index = heap.length;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!isBefore(waiting, at(parent))) break;
        heap[index] = at(parent);
        index = parent;
      }
      heap[index] = waiting;
    },
    take(): Waiting<Value> | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      let index = 0;
      for (let child = 1; child < heap.length; child = 2 * index + 1) {
        if (child + 1 < heap.length && isBefore(at(child + 1), at(child))) child += 1;
        if (!isBefore(at(child), last)) break;
        heap[index] = at(child);
        index = child;
      }
      heap[index] = last;
      return first;
    },
  };
}

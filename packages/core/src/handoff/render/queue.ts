/** The one with the highest ratio first; of two with the same, the one of the lower order. A binary heap. */
export function createQueue() {
  const ratios: number[] = [];
  const orders: number[] = [];
  const isBefore = (ratio: number, order: number, index: number): boolean => {
    const other = ratios[index] as number;
    return ratio > other || (ratio === other && order < (orders[index] as number));
  };
  const put = (index: number, ratio: number, order: number) => {
    ratios[index] = ratio;
    orders[index] = order;
  };
  const move = (from: number, to: number) => put(to, ratios[from] as number, orders[from] as number);
  const add = (ratio: number, order: number) => {
    let index = ratios.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(ratio, order, parent)) break;
      put(index, ratios[parent] as number, orders[parent] as number);
      index = parent;
    }
    put(index, ratio, order);
  };
  return {
    add,
    /** Lets all others go. */
    keep(isKept: (order: number) => boolean) {
      const entries = orders.map((order, index) => [ratios[index] as number, order] as const);
      ratios.length = orders.length = 0;
      for (const [ratio, order] of entries) if (isKept(order)) add(ratio, order);
    },
    take(): { readonly ratio: number; readonly order: number } | undefined {
      const [ratio, order] = [ratios[0], orders[0]];
      const [lastRatio, lastOrder] = [ratios.pop(), orders.pop()];
      if (ratio === undefined || order === undefined || lastRatio === undefined || lastOrder === undefined)
        return undefined;
      if (ratios.length === 0) return { ratio, order };
      let index = 0;
      for (let child = 1; child < ratios.length; child = 2 * index + 1) {
        const other = child + 1;
        if (other < ratios.length && isBefore(ratios[other] as number, orders[other] as number, child)) child = other;
        if (isBefore(lastRatio, lastOrder, child)) break;
        move(child, index);
        index = child;
      }
      put(index, lastRatio, lastOrder);
      return { ratio, order };
    },
  };
}

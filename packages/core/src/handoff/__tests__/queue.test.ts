import { describe, expect, it } from 'vitest';
import { createQueue } from '../render/queue.js';

const RATIOS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];

function filled() {
  const queue = createQueue();
  for (const [order, ratio] of RATIOS.entries()) queue.add(ratio, order);
  return queue;
}

function ordersOf(queue: ReturnType<typeof createQueue>): readonly number[] {
  const orders: number[] = [];
  for (let top = queue.take(); top !== undefined; top = queue.take()) orders.push(top.order);
  return orders;
}

describe('the queue of candidates', () => {
  it('gives the highest ratio first, and of two that are equal the lower order', () => {
    expect(ordersOf(filled())).toEqual([5, 7, 4, 8, 10, 2, 0, 9, 6, 1, 3]);
  });

  it('keeps the order of the rest when it lets others go', () => {
    const queue = filled();
    queue.take();

    queue.keep((order) => order % 2 === 0);

    expect(ordersOf(queue)).toEqual([4, 8, 10, 2, 0, 6]);
  });
});

import { describe, expect, it } from 'vitest';
import { later } from '../later.js';

class Shop {
  readonly #price = 3;
  async cost(count: number): Promise<number> {
    return this.#price * count;
  }
}

function createCounted() {
  const seen = { loads: 0 };
  const shop = later(async () => {
    seen.loads += 1;
    return new Shop();
  });
  return { seen, shop };
}

describe('later', () => {
  it('loads nothing before a method is called', async () => {
    const { seen, shop } = createCounted();
    const { cost } = shop;
    expect(await Promise.resolve(shop)).toBe(shop);
    expect(seen.loads).toBe(0);
    expect(await cost(2)).toBe(6);
  });

  it('loads once, however many ask at once', async () => {
    const { seen, shop } = createCounted();
    expect(await Promise.all([shop.cost(1), shop.cost(2)])).toEqual([3, 6]);
    expect(seen.loads).toBe(1);
  });

  it('rejects a call with the reason why nothing was loaded', async () => {
    const shop = later<{ cost(): Promise<number> }>(() => Promise.reject(new Error('the file is gone')));
    await expect(shop.cost()).rejects.toThrow('the file is gone');
  });
});

import { describe, expect, it } from 'vitest';
import { orderByDependency } from '../order-by-dependency.js';

describe('orderByDependency', () => {
  const item = (id: string, ...depends_on: string[]) => ({ id, depends_on });

  it('puts each item behind those it depends on and leaves the others where they are', () => {
    const ordered = orderByDependency([item('c', 'b'), item('a'), item('b', 'a', 'elsewhere'), item('d')]);
    expect(ordered).toMatchObject({ ok: true, items: ['a', 'b', 'c', 'd'].map((id) => ({ id })) });
  });

  it('names the circle that it finds', () => {
    const ordered = orderByDependency([item('x'), item('a', 'c'), item('b', 'a'), item('c', 'b')]);
    expect(ordered).toEqual({ ok: false, circle: ['a', 'c', 'b', 'a'] });
  });
});

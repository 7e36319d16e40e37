import { expect, it } from 'vitest';
import { measureSizes } from '../lib/source/measure-sizes.mjs';

it('measures files, functions, classes and folders', () => {
  const text = `
class Pool {
  #secret() {}
  private hidden() {}
  open(a: number, b: number, c: number) {
    return a + b + c;
  }
}
export const close = (pool: Pool) => pool;
`.trimStart();
  const sources = [
    { path: 'packages/a/src/pool.ts', text },
    { path: 'packages/a/src/__tests__/pool.test.ts', text: 'it();\n' },
  ];

  const measured = Object.fromEntries(measureSizes(sources).map((table) => [table.what, table.measured]));

  expect(measured['source file, lines']).toEqual([{ name: 'packages/a/src/pool.ts', value: 8 }]);
  expect(measured['test file, lines']).toEqual([{ name: 'packages/a/src/__tests__/pool.test.ts', value: 1 }]);
  expect(measured['function, lines']).toContainEqual({ name: 'packages/a/src/pool.ts open', value: 3 });
  expect(measured['function, lines']).toContainEqual({ name: 'packages/a/src/pool.ts close', value: 1 });
  expect(measured['function, positional parameters']).toContainEqual({ name: 'packages/a/src/pool.ts open', value: 3 });
  expect(measured['class, public methods']).toEqual([{ name: 'packages/a/src/pool.ts Pool', value: 1 }]);
  expect(measured['folder, files']).toEqual([
    { name: 'packages/a/src', value: 1 },
    { name: 'packages/a/src/__tests__', value: 1 },
  ]);
});

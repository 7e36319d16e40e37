/** A promise and what settles it: `Promise.withResolvers`, which Node 20 does not have. */
export function createPromised<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

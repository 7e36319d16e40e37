type Slow<T> = { readonly [Name in keyof T]: (...given: never[]) => Promise<unknown> };

/** Something whose every method answers later anyway, loaded when the first of them is called: most commands need few of them. */
export function later<T extends Slow<T>>(load: () => Promise<T>): T {
  let loading: Promise<T> | undefined;
  const call = async (name: PropertyKey, given: readonly unknown[]): Promise<unknown> => {
    loading ??= load();
    const loaded: object = await loading;
    return Reflect.apply(Reflect.get(loaded, name), loaded, given);
  };
  const methods = new Map<PropertyKey, (...given: readonly unknown[]) => Promise<unknown>>();
  return new Proxy({} as T, {
    get(_, name) {
      if (name === 'then') return undefined; // an `await` returns it unloaded
      const method = methods.get(name) ?? ((...given: readonly unknown[]) => call(name, given));
      methods.set(name, method);
      return method;
    },
  });
}

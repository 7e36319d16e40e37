import { type Store, StoreReplacedError, StoreUnavailableError } from '@devs/core';

type Trouble = 'none' | 'disk full' | 'gone' | 'silent' | 'lease lost' | 'replaced';

export interface TroubledStore {
  readonly store: Store;
  trouble: Trouble;
}

/** The store of a world, until something happens to it. */
export function troubledStore(store: Store): TroubledStore {
  const here: { store: Store; trouble: Trouble } = { store, trouble: 'none' };
  const full = () =>
    new StoreUnavailableError('the store could not be written', { cause: new Error('database or disk is full') });
  const on = <Port extends object>(port: Port, writes: readonly string[]): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function' || name === 'follow') return value;
        return (...args: readonly unknown[]) => {
          if (here.trouble === 'gone') return Promise.reject(new StoreUnavailableError('the store is gone'));
          if (here.trouble === 'replaced' && writes.includes(String(name)))
            return Promise.reject(new StoreReplacedError('the store was emptied'));
          if (here.trouble === 'silent') return new Promise(() => {});
          if (here.trouble === 'disk full' && writes.includes(String(name))) return Promise.reject(full());
          if (here.trouble === 'lease lost' && name === 'renew') return Promise.resolve(false);
          return value.apply(target, args);
        };
      },
    });
  here.store = {
    ...store,
    log: on(store.log, ['append']),
    leases: on(store.leases, ['acquire', 'renew', 'release']),
    tasks: on(store.tasks, ['heartbeat', 'claim', 'complete', 'release', 'block']),
  };
  return here;
}

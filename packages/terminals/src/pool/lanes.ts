/** Jobs with the same key run one after another; different keys run side by side. */
export function createLanes<Key>(): <T>(key: Key, job: () => Promise<T>) => Promise<T> {
  const tails = new Map<Key, Promise<void>>();
  return (key, job) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(job);
    const tail = result.then(ignore, ignore).then(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
    tails.set(key, tail);
    return result; // the caller still sees the failure; the next job does not
  };
}

const ignore = () => {};

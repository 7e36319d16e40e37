/** A map that forgets its oldest entry when there are too many: memory stays bounded however long a transcript is. */
export function boundedMap<Key, Value>(most: number, entries: Iterable<readonly [Key, Value]> = []): Map<Key, Value> {
  const map = new BoundedMap<Key, Value>(most);
  for (const [key, value] of entries) map.set(key, value);
  return map;
}

class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.#most && !oldest.done) this.delete(oldest.value);
    return this;
  }
}

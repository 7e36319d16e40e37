interface Dependent {
  readonly id: string;
  readonly depends_on?: readonly string[] | undefined;
}

export type Ordered<Item> =
  | { readonly ok: true; readonly items: readonly Item[] }
  /** The ids of the circle, its first one again at the end. */
  | { readonly ok: false; readonly circle: readonly string[] };

/**
 * Puts each item after its dependencies, otherwise as given. Ignores dependencies outside the list. Uses its own
 * stack, because a chain may be longer than calls can be nested.
 */
export function orderByDependency<Item extends Dependent>(items: readonly Item[]): Ordered<Item> {
  const byId = new Map(items.map((item, place) => [item.id, { item, place }]));
  const placeOf = (id: string) => byId.get(id)?.place ?? 0;
  const ordered = new Set<Item>();
  for (const first of items) {
    const path: { readonly item: Item; readonly dependencies: readonly string[]; next: number }[] = [];
    const onPath = new Set<string>();
    const step = (item: Item) => {
      path.push({ item, dependencies: [...(item.depends_on ?? [])].sort((a, b) => placeOf(a) - placeOf(b)), next: 0 });
      onPath.add(item.id);
    };
    if (!ordered.has(first)) step(first);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const dependency = visit.dependencies[visit.next++];
      if (dependency === undefined) {
        ordered.add(visit.item);
        onPath.delete(visit.item.id);
        path.pop();
        continue;
      }
      if (onPath.has(dependency)) {
        const ids = path.map(({ item }) => item.id);
        return { ok: false, circle: [...ids.slice(ids.indexOf(dependency)), dependency] };
      }
      const other = byId.get(dependency)?.item;
      if (other !== undefined && !ordered.has(other)) step(other);
    }
  }
  return { ok: true, items: [...ordered] };
}
